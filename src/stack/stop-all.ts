import type { Release } from './lock.js';

/**
 * Takes back what was done, the last step first, and empties the list. A step that fails does not prevent the others.
 * @throws what failed, after all steps were tried
 */
export async function stopAll(undo: Release[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of undo.splice(0).reverse()) {
    await step().catch((thrown: unknown) => failures.push(thrown));
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `Not everything was stopped: ${failures.join('; ')}`);
}

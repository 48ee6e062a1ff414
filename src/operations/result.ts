import type { OperationResult, OperationStatus } from './status.js';

/** Gives what is left of a status when the operation has ended. */
export function resultOf(status: OperationStatus): OperationResult {
  const { id, name, root, dimensions, outcome, startedAt, endedAt, participants, errors, rejection, refusals } = status;
  if (outcome === 'running' || endedAt === undefined) throw new Error(`The operation ${id} has not ended.`);
  return {
    ...{ id, name, root, dimensions, outcome, startedAt, endedAt },
    participants: Object.values(participants),
    errors,
    ...(rejection && { rejection }),
    ...(refusals && { refusals }),
  };
}

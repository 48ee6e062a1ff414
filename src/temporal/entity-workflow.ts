import { ApplicationFailure, makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import { type EntityInput, runEntity } from '../kernel/index.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { TemporalEntityDriver, type EntitySettings } from './driver.js';

/**
 * One run of an entity's workflow. It completes when the entity is deleted, with how it was; also when it never came to
 * be after an earlier life, with how that one was.
 */
export async function entityWorkflow(
  implementation: AnyImplementation,
  input: unknown,
  settings: EntitySettings,
): Promise<Snapshot> {
  const driver = new TemporalEntityDriver(implementation.entity, settings);
  const end = await runEntity(implementation, driver, input as EntityInput | undefined);
  switch (end.kind) {
    case 'closed':
      return end.snapshot;
    case 'refused':
      if (end.inherits) return end.inherits;
      throw ApplicationFailure.nonRetryable(end.message, end.code);
    case 'rollover':
      return goOn(end.next);
  }
}

function goOn(next: EntityInput): Promise<never> {
  const { searchAttributes } = workflowInfo();
  return makeContinueAsNewFunc<(input: EntityInput) => Promise<never>>({ searchAttributes })(next);
}

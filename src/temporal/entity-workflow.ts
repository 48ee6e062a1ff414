import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import { type EntityInput, runEntity } from '../kernel/index.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { goOn } from './go-on.js';
import { TemporalEntityDriver, type EntitySettings } from './driver.js';

/**
 * One run of an entity's workflow. It completes when the entity is deleted, with its last snapshot. When the entity was not
 * created after an earlier life, it completes with the last snapshot of that life.
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
      if (end.inherits) return { ...end.inherits, refused: end.birth };
      throw ApplicationFailure.nonRetryable(end.birth.rejection.message, end.birth.rejection.code, end.birth);
    case 'rollover':
      return goOn(end.next, {
        searchAttributes: workflowInfo().searchAttributes,
        build: end.build,
      });
  }
}

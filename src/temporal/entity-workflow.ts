import { ApplicationFailure, continueAsNew } from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import { runEntity, type EntityInput } from '../kernel/entity-life.js';
import type { LookDistance } from '../kernel/look.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { TemporalEntityDriver } from './driver.js';

/** One run of an entity's workflow. It completes when the entity is deleted, with how it was. */
export async function entityWorkflow(
  implementation: AnyImplementation,
  input: unknown,
  lookDistance?: LookDistance,
): Promise<Snapshot> {
  const driver = new TemporalEntityDriver(implementation.entity, lookDistance);
  const end = await runEntity(implementation, driver, input as EntityInput | undefined);
  switch (end.kind) {
    case 'closed':
      return end.snapshot;
    case 'refused':
      throw ApplicationFailure.nonRetryable(end.message, end.code);
    case 'rollover':
      return continueAsNew<(next: EntityInput) => Promise<never>>({ kind: 'continue', snapshot: end.snapshot });
  }
}

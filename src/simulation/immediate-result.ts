import type { OperationResult } from '../operations/status.js';
import type { EngagementOutcome } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import type { Taken } from './simulation.js';

/** The result of an event that has settled in the task that admitted it: no operation had to be opened. */
export function immediateResult(taken: Taken, outcome: EngagementOutcome, now: number): OperationResult {
  const { entity, event, answer, requestId } = taken;
  const { state, version, health, waiting, error, rejection, canceled } = outcome;
  return {
    id: answer.operation,
    name: `${event} ${entityId(entity)}`,
    root: { ...entity, engagement: requestId, event },
    dimensions: {},
    outcome: error || rejection || health === 'error' ? 'failed' : canceled ? 'canceled' : 'success',
    startedAt: now,
    endedAt: now,
    participants: [{ ...entity, life: '', state, version, health, waiting }],
    errors: error ? [{ ...error, entity: entityId(entity), event, engagement: requestId }] : [],
    ...(rejection && { rejection }),
  };
}

import type { Answer } from '../protocol/answer.js';
import { type EngagementOutcome, errorOfOnly, outcomeOfOnly } from '../protocol/outcome.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { OperationResult } from './status.js';

/** An event that was taken: the part that the result of its operation needs. */
interface TakenEvent {
  readonly entity: EntityRef;
  readonly event: string;
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}

/**
 * The result of an event of which only the outcome on its entity is known. It has settled in the task that admitted it, so that
 * no operation was needed, or long ago. Times are milliseconds since 1970.
 */
export function immediateResult(
  { entity, event, answer, requestId }: TakenEvent,
  outcome: EngagementOutcome,
  startedAt: number,
  endedAt = startedAt,
): OperationResult {
  const { state, version, health, waiting, rejection } = outcome;
  const error = errorOfOnly(outcome);
  return {
    id: answer.operation,
    name: `${event} ${entityId(entity)}`,
    root: { ...entity, engagement: requestId, event },
    dimensions: {},
    outcome: outcomeOfOnly(outcome),
    startedAt,
    endedAt,
    participants: [{ ...entity, life: '', state, version, health, waiting }],
    errors: error ? [{ ...error, entity: entityId(entity), event, engagement: requestId }] : [],
    ...(rejection && { rejection }),
    unfollowed: true,
  };
}

import type { Answer, EngagementOutcome } from '../protocol/messages.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { outcomeOfOnly } from '../protocol/outcome.js';
import type { OperationResult } from './status.js';

/** An event that was taken, as far as the result of its operation needs it. */
interface TakenEvent {
  readonly entity: EntityRef;
  readonly event: string;
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}

/** The result of an event that has settled in the task that admitted it: no operation had to be opened. */
export function immediateResult(
  { entity, event, answer, requestId }: TakenEvent,
  outcome: EngagementOutcome,
  now: number,
): OperationResult {
  const { state, version, health, waiting, error, rejection } = outcome;
  return {
    id: answer.operation,
    name: `${event} ${entityId(entity)}`,
    root: { ...entity, engagement: requestId, event },
    dimensions: {},
    outcome: outcomeOfOnly(outcome),
    startedAt: now,
    endedAt: now,
    participants: [{ ...entity, life: '', state, version, health, waiting }],
    errors: error ? [{ ...error, entity: entityId(entity), event, engagement: requestId }] : [],
    ...(rejection && { rejection }),
  };
}

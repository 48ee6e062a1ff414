import type { EntityMessage } from '../../protocol/entity-message.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { View } from '../../protocol/reading.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Report } from '../../protocol/report.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { circleOf } from '../reservations/circle.js';
import { heldReservations, hold, releaseOf } from '../reservations/holding.js';
import { andThen, type Step } from '../rules/step.js';
import { absent } from '../successors/receive.js';
import { answer, awaitNamed, awaitsOf, changeAwait } from './awaits.js';
import { probed } from './inquire.js';

/** Takes in a message that may be an answer to what the running action waits for. */
export function hearAnswer(snapshot: Snapshot, message: EntityMessage): Step {
  switch (message.kind) {
    case 'report':
      // A rejected event has set off nothing, so there is nothing more to wait for.
      if (message.outcome.rejection) return unsent(settle(snapshot, message.ended, message.outcome));
      return message.again ? raisedAgain(snapshot, message) : unsent(snapshot);
    case 'awaited':
      if (message.toLife !== snapshot.life) return unsent(snapshot);
      return unsent(settle(snapshot, [message.engagement], message.outcome));
    case 'view':
      return seen(snapshot, message);
    case 'sealed': {
      // The reserved entity promises to admit the events, or refuses.
      const { toLife, wait, rejection } = message;
      if (toLife !== snapshot.life) return unsent(snapshot);
      return unsent(answer(snapshot, wait, { kind: 'sealed', ...(rejection && { rejection }) }));
    }
    case 'probe': {
      // One that has come back refuses its wait: the action waits for itself.
      const circle = circleOf(snapshot, message);
      return unsent(circle ? answer(snapshot, message.wait, { kind: 'refused', circle }) : snapshot);
    }
    default:
      return unsent(snapshot);
  }
}

/** Ends the waits for these events: everything that they have set off has settled. */
export function settle(snapshot: Snapshot, engagements: readonly string[], outcome: EngagementOutcome): Snapshot {
  let settled = snapshot;
  for (const awaited of awaitsOf(snapshot)) {
    if (awaited.kind !== 'event' || !engagements.includes(awaited.engagement)) continue;
    settled = changeAwait(settled, { ...awaited, answer: { kind: 'outcome', outcome } });
  }
  return settled;
}

/** Ends the wait for an event whose operation has ended: so has all that the event has set off. */
export function operationOver(snapshot: Snapshot, message: OperationMessage): Snapshot {
  return message.kind === 'await' ? settle(snapshot, [message.engagement], message.outcome) : snapshot;
}

/** Ends the wait for an entity that does not exist. */
export function answerUndelivered(snapshot: Snapshot, to: EntityRef, message: EntityMessage): Snapshot {
  switch (message.kind) {
    case 'raise':
      return settle(snapshot, [message.request.id], absent(to, message.request.event));
    case 'seal':
      return answer(snapshot, message.wait, { kind: 'sealed', rejection: gone(to, message.first.event) });
    case 'read':
    case 'reserve':
      return answer(snapshot, message.wait, { kind: 'view' });
    default:
      return snapshot;
  }
}

/** Takes in how another entity is, and whether it is reserved now. */
function seen(snapshot: Snapshot, message: View): Step {
  const { wait, view, granted, from, toLife } = message;
  const awaited = awaitNamed(snapshot, wait);
  if (toLife !== snapshot.life || !awaited || awaited.answer) {
    const isHeld = !granted || heldReservations(snapshot).some((held) => held.wait === wait);
    return { snapshot, effects: isHeld ? [] : [releaseOf(from, wait)] };
  }
  const answered = answer(snapshot, wait, {
    kind: 'view',
    ...(view && { view }),
    ...(granted && { granted }),
  });
  const held = awaited.kind === 'reservation' ? hold(answered, awaited, message) : unsent(answered);
  // All that wait for the newly reserved entity now wait for this action, and so for its other waits.
  return granted ? andThen(held, (each) => probeOthers(each, wait)) : held;
}

function probeOthers(snapshot: Snapshot, granted: string): Step {
  let step = unsent(snapshot);
  for (const other of awaitsOf(snapshot)) {
    if (other.wait !== granted && !other.answer) step = andThen(step, (each) => probed(each, other));
  }
  return step;
}

/** Anything that an event that ended before has set off may still go on elsewhere. The operation that follows it knows. */
function raisedAgain(snapshot: Snapshot, { ended, outcome, operation: follows }: Report): Step {
  const { type, key, life, engagements } = snapshot;
  const operation = follows ?? engagements.at(-1)?.operation;
  if (operation === undefined) return unsent(snapshot);
  const effects = awaitsOf(snapshot).flatMap((awaited) => {
    if (awaited.kind !== 'event' || !ended.includes(awaited.engagement)) return [];
    const { engagement } = awaited;
    return [
      { kind: 'tell', operation, message: { kind: 'await', by: { type, key, life }, engagement, outcome } } as const,
    ];
  });
  return { snapshot, effects };
}

/** The rejection for an entity that was reserved and does not exist any more. */
function gone(to: EntityRef, event: string): Rejection {
  const entity = entityId(to);
  const message = `'${event}' was to be raised on ${entity}, which had been reserved and is gone.`;
  return { code: 'reservation_ended', message, entity, event };
}

function unsent(snapshot: Snapshot): Step {
  return { snapshot, effects: [] };
}

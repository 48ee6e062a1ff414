import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { LookDistance } from '../rules/look-distance.js';
import { displayEvent } from '../../definition/display-name.js';
import { ownSteps, type OwnStep } from './own-step.js';
import { nextOwnerLookAt } from '../reservations/owner-look.js';
import { findAction } from '../rules/step.js';
import { nextTimer } from '../triggers/timers.js';

/** For people: what an entity that rests waits for, until a time (milliseconds since 1970). S5.6 */
export function summariseWait(
  entity: AnyEntity,
  snapshot: Snapshot,
  until: number,
  distance: LookDistance,
): string | undefined {
  const { reservation, postponed } = snapshot;
  if (reservation?.until === until) return `the lease of ${entityId(reservation.owner)}`;
  if (reservation && nextOwnerLookAt(snapshot, distance) === until) return `look after ${entityId(reservation.owner)}`;
  if (postponed?.at === until) return `${postponed.running.action}, put off for the reservations of others`;
  const due = ownSteps(entity, snapshot, distance).find(({ at }) => at === until);
  return due && summariseStep(entity, snapshot, due);
}

function summariseStep(entity: AnyEntity, snapshot: Snapshot, { kind }: OwnStep): string {
  switch (kind) {
    case 'timer': {
      const { name, event } = nextTimer(entity, snapshot)!;
      return `${name}: ${displayEvent(entity, event)}`;
    }
    case 'subscriptions':
      return 'subscriptions that have failed count again';
    case 'automatic':
      return `${findAction(entity, snapshot.state)!.name}, attempt ${snapshot.attempt + 1}`;
    case 'look':
      return 'look after successors';
  }
}

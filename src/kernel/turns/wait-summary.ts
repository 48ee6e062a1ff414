import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { LookDistance } from '../rules/look-distance.js';
import { ownSteps, summariseOwnStep } from './own-step.js';
import { nextOwnerLookAt } from '../reservations/owner-look.js';

/** Tells what an entity that rests waits for until a time (milliseconds since 1970), for people. S5.6 */
export function summariseWait(
  entity: AnyEntity,
  snapshot: Snapshot,
  until: number,
  distance: LookDistance,
): string | undefined {
  const { reservation, postponed } = snapshot;
  if (reservation?.until === until) return `the lease of ${entityId(reservation.owner)}`;
  if (reservation && nextOwnerLookAt(snapshot, distance) === until) return `look after ${entityId(reservation.owner)}`;
  if (postponed?.at === until) return `${postponed.running.action}, postponed for the reservations of others`;
  const due = ownSteps(entity, snapshot, distance).find(({ at }) => at === until);
  return due && summariseOwnStep(entity, snapshot, due.kind);
}

import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Report } from '../../protocol/report.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { missOwner } from '../reservations/owner-look.js';
import { confirm } from '../engagements/owed-judgements.js';
import { missSuccessor } from './look.js';
import { receiveAbsent } from './receive.js';
import { endReservation, release } from '../reservations/reservation.js';
import { isSealed } from '../rules/reserved.js';
import type { Step } from '../rules/step.js';

/** Decides what follows when the target of a message does not exist. */
export function undelivered(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: EntityRef,
  message: EntityMessage,
  now: number,
): Step {
  switch (message.kind) {
    case 'raise':
      return receiveAbsent(entity, snapshot, to, message.request, now);
    case 'report':
      return forgetWatcher(snapshot, to, message);
    case 'look':
      return missSuccessor(entity, snapshot, to, message, now);
    case 'view':
      // The entity that has reserved this one is lost.
      return release(entity, snapshot, message, now);
    case 'owner-look':
      return missOwner(entity, snapshot, message, now);
    case 'sealed':
      // The entity that was about to raise something on this one is lost too.
      return isSealed(snapshot) && snapshot.reservation?.seal?.wait === message.wait
        ? endReservation(entity, snapshot, now)
        : { snapshot, effects: [] };
    case 'seal':
    case 'unseal':
    case 'stranger':
    case 'lost':
    case 'accepted':
    case 'withdraw':
    case 'read':
    case 'reserve':
    case 'lease':
    case 'release':
    case 'probe':
    case 'awaited':
    case 'cancel':
    case 'inquiry':
    case 'deployment':
      return { snapshot, effects: [] };
  }
}

/** Forgets a watcher that is gone. It judges nothing any more, so the operations must not wait for it. */
function forgetWatcher(snapshot: Snapshot, to: EntityRef, { judgement }: Report): Step {
  const watchers = snapshot.watchers.filter((watcher) => entityId(watcher) !== entityId(to));
  return { snapshot: { ...snapshot, watchers }, effects: confirm(judgement) };
}

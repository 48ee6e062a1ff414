import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { endRejected } from '../engagements/settle.js';
import { answerTo } from '../rules/reading.js';
import type { Effect } from '../rules/step.js';
import { absent } from './receive.js';

/** The answers to what has come to an entity that was not created: as where there is none. S4.4 */
export function answerForNobody(
  entity: AnyEntity,
  snapshot: Snapshot,
  message: EntityMessage,
  now: number,
): readonly Effect[] {
  switch (message.kind) {
    case 'raise': {
      const { rejection } = absent(snapshot, message.request.event);
      return rejection ? endRejected(entity, snapshot, message.request, rejection, now) : [];
    }
    case 'read':
    case 'reserve':
      return [answerTo(snapshot, message)];
    default:
      // Whoever looks asks again, and finds nobody.
      return [];
  }
}

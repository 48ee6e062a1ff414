import { CREATED } from '../../definition/created.js';
import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** S4.1: an event that was taken starts its action or is rejected, in the end. */
export function nothingLost(): Invariant {
  /** Entity and request id -> what was answered. The entity's next life knows the request too. */
  const open = new Map<string, string>();
  const started = new Set<string>();
  /** Requests of which the operation knows the end: another delivery of the same changes nothing. */
  const ended = new Set<string>();
  return {
    name: 'no event is lost',
    hear(fact) {
      switch (fact.kind) {
        case 'answered': {
          const { request, answer, to } = fact;
          const name = `${entityId(to)} ${request.id}`;
          if (answer.status === 'rejected') open.delete(name);
          // An answer that was held back may reach its caller after its operation has heard how it ended.
          else if (answer.status === 'waiting' && !started.has(name) && !ended.has(name))
            open.set(name, `'${request.event}' on ${entityId(to)}, which waited`);
          return undefined;
        }
        case 'delivered': {
          const { to, message } = fact;
          if (message.kind !== 'raise') return undefined;
          const name = `${entityId(to)} ${message.request.id}`;
          if (!started.has(name) && !ended.has(name)) open.set(name, `'${message.request.event}' on ${entityId(to)}`);
          return undefined;
        }
        case 'started': {
          const engagement = fact.snapshot.engagements.at(-1);
          if (!engagement) return undefined;
          started.add(`${fact.by.id} ${engagement.id}`);
          open.delete(`${fact.by.id} ${engagement.id}`);
          return undefined;
        }
        case 'told': {
          const { message, by } = fact;
          if (message.kind !== 'ended') return undefined;
          const { rejection, lost, canceled } = message.outcome;
          const acts = message.event !== CREATED && !rejection && !lost && !canceled;
          if (acts && !started.has(`${by.id} ${message.engagement}`)) {
            return `'${message.event}' (${message.engagement}) has ended on ${by.id}, and its action has never started`;
          }
          open.delete(`${by.id} ${message.engagement}`);
          ended.add(`${by.id} ${message.engagement}`);
          return undefined;
        }
        case 'terminated':
          for (const name of open.keys()) if (name.startsWith(`${fact.id} `)) open.delete(name);
          return undefined;
        case 'quiet': {
          const [lost] = open;
          return lost && `${lost[1]} (${lost[0]}) was taken, and neither started an action nor was rejected`;
        }
        default:
          return undefined;
      }
    },
  };
}

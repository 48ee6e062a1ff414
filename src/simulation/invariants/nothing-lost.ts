import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** S4.1: an event that was taken starts its action or is rejected, in the end. */
export function nothingLost(): Invariant {
  /** Life and request id -> what was said of it. */
  const open = new Map<string, string>();
  const started = new Set<string>();
  return {
    name: 'no event is lost',
    hear(fact) {
      switch (fact.kind) {
        case 'answered': {
          const { life, request, answer, to } = fact;
          const name = `${life} ${request.id}`;
          if (answer.status === 'rejected') open.delete(name);
          else if (answer.status === 'waiting' && !started.has(name))
            open.set(name, `'${request.event}' on ${entityId(to)}, which waited`);
          return undefined;
        }
        case 'delivered': {
          const { life, to, message } = fact;
          if (message.kind !== 'raise' || started.has(`${life} ${message.request.id}`)) return undefined;
          open.set(`${life} ${message.request.id}`, `'${message.request.event}' on ${entityId(to)}`);
          return undefined;
        }
        case 'started': {
          const engagement = fact.snapshot.engagements.at(-1);
          if (!engagement) return undefined;
          started.add(`${fact.by.life} ${engagement.id}`);
          open.delete(`${fact.by.life} ${engagement.id}`);
          return undefined;
        }
        case 'told':
          if (fact.message.kind === 'ended') open.delete(`${fact.by.life} ${fact.message.engagement}`);
          return undefined;
        case 'terminated':
          for (const name of open.keys()) if (name.startsWith(`${fact.life} `)) open.delete(name);
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

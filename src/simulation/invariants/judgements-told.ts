import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** More than a message waits for the task that takes it, in milliseconds. */
const TAKEN_BY_MS = 10_000;

/** S4.2, subscription.3: what a report may set off is told to its operations once it has been judged, and no judgement is forgotten. */
export function judgementsTold(): Invariant {
  /** Entity, operation and judgement -> since when it is owed. */
  const owed = new Map<string, number>();
  const name = (entity: string, operation: string, judgement: string) => `${entity} ${operation} ${judgement}`;
  return {
    name: 'a report is judged, and the operations are told',
    hear(fact, { now }) {
      switch (fact.kind) {
        case 'delivered': {
          const { to, message } = fact;
          const judgement = message.kind === 'report' ? message.judgement : undefined;
          for (const operation of judgement?.operations ?? []) {
            const owes = name(entityId(to), operation, judgement!.id);
            if (!owed.has(owes)) owed.set(owes, now);
          }
          return undefined;
        }
        case 'told': {
          const { by, operation, message } = fact;
          if (message.kind === 'judged') {
            for (const id of message.judgements) owed.delete(name(by.id, operation, id));
          }
          if (message.kind !== 'unknown') return undefined;
          const forgotten = message.judgements.find((id) => {
            const since = owed.get(name(by.id, operation, id));
            return since !== undefined && since + TAKEN_BY_MS < now;
          });
          return forgotten && `${by.id} knows nothing of the judgement ${forgotten}, which ${operation} waits for`;
        }
        case 'terminated':
          for (const owes of owed.keys()) if (owes.startsWith(`${fact.id} `)) owed.delete(owes);
          return undefined;
        default:
          return undefined;
      }
    },
  };
}

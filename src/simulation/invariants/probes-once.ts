import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** S3.6, S3.8: a run sends the probe of a wait once over each edge in each round, so that those who wait do not drown each other. */
export function probesOnce(): Invariant {
  const sent = new Set<string>();
  return {
    name: 'a probe goes over each edge once',
    hear(fact) {
      if (fact.kind !== 'sent' || fact.message.kind !== 'probe') return undefined;
      const { initiator, wait, round, path } = fact.message;
      const { on, kind, id } = path.at(-1)!;
      const name = `${fact.run} ${initiator.life} ${wait} ${round} ${on} ${kind} ${id}`;
      if (!sent.has(name)) {
        sent.add(name);
        return undefined;
      }
      const way = path.map((each) => each.on).join(' -> ');
      return `${fact.by.id} sends the probe of ${entityId(initiator)} for ${wait} twice in round ${round}: ${way}`;
    },
  };
}

import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/**
 * S3.6, S3.8: who waits for a reserved entity waits for its owner, and not for those who will own it before its turn comes.
 * Probes to them would grow with the square of those who wait.
 */
export function probesToOwners(): Invariant {
  /** The reservations that were granted, by their waits. */
  const granted = new Set<string>();
  return {
    name: 'a probe goes on to owners only',
    hear(fact) {
      if (fact.kind !== 'sent') return undefined;
      const { by, message } = fact;
      // An owner has its answer before any probe goes on to it.
      if (message.kind === 'view' && message.granted) granted.add(message.wait);
      if (message.kind !== 'probe') return undefined;
      const { on, kind, id } = message.path.at(-1)!;
      if (kind !== 'release' || granted.has(id)) return undefined;
      return `${by.id} sends the probe of ${entityId(message.initiator)} on to ${on}, which has yet to own it`;
    },
  };
}

import { entityId } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';

/** S4.4: what an entity knows of a successor never grows older. */
export function newerReports(): Invariant {
  return {
    name: 'no older report is believed',
    hear(fact) {
      if (fact.kind !== 'changed' || !fact.before || fact.before.successors === fact.after.successors) return undefined;
      for (const successor of fact.after.successors) {
        const before = known(fact.before, successor);
        if (!before || before.version <= successor.version) continue;
        const versions = `version ${before.version} of ${entityId(successor)}, and now believes version ${successor.version}`;
        return `${fact.by.id} knew ${versions}`;
      }
      return undefined;
    },
  };
}

/** Finds what was known of the same life, unless a new event was raised on it since. */
function known({ successors }: Snapshot, { type, key, life, request }: Successor): Successor | undefined {
  return successors.find(
    (each) => each.type === type && each.key === key && each.life === life && each.request === request,
  );
}

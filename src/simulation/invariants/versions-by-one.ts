import type { Invariant } from '../fact.js';

/** S3.7: each transition makes one version, and nothing else does. */
export function versionsByOne(): Invariant {
  return {
    name: 'versions grow by one',
    hear(fact) {
      if (fact.kind !== 'changed' || !fact.before) return undefined;
      const { by, before, after, ended } = fact;
      const grown = after.version - before.version;
      // A postponed action makes no transition, but its abort does.
      const abandoned = before.postponed && !after.postponed && after.lastError?.code === 'aborted';
      const expected = (ended && !after.postponed) || abandoned ? 1 : 0;
      if (grown === expected) return undefined;
      const why = ended ? `'${ended.action}' ended` : 'no action ended';
      return `${by.id} went from version ${before.version} to ${after.version}, and ${why}`;
    },
  };
}

import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** S3.2: properties change with a transition only, and an action that throws changes none of them. */
export function allOrNothing(): Invariant {
  return {
    name: 'an action takes effect as a whole or not at all',
    hear(fact) {
      if (fact.kind !== 'changed' || !fact.before) return undefined;
      const { by, before, after, ended } = fact;
      const same =
        before.properties === after.properties ||
        JSON.stringify(before.properties) === JSON.stringify(after.properties);
      if (!same && !ended) return `the properties of ${by.id} changed, and no action ended`;
      if (!ended?.threw) return undefined;
      const properties = JSON.stringify(after.properties);
      if (properties !== ended.propertiesBefore) {
        return `'${ended.action}' of ${by.id} threw, and the properties are ${properties} instead of ${ended.propertiesBefore}`;
      }
      // Its waiting raises took effect at once, perhaps in the very task in which it was aborted.
      if (after.lastError?.code === 'aborted') return undefined;
      const known = new Set([...before.successors.map(entityId), ...ended.successors]);
      const added = after.successors.find((each) => !known.has(entityId(each)));
      return added && `'${ended.action}' of ${by.id} threw, and ${entityId(added)} has become a successor`;
    },
  };
}

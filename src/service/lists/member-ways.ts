import type { AnyEntity } from '../../definition/entity.js';
import { OWNER, type EntityModel, type Navigation, type Properties } from '../odata/index.js';
import { declaredProperty } from './declared-property.js';
import { nameOfWay } from './name-of-way.js';

/** The property for a member's whole value, where that is not an object. */
const WHOLE = 'value';

/**
 * The ways from an entity to the members of each collection of subordinates. Members are rows with their key and their declared
 * properties. `path` is where the entity is served. S1.2, S6.2
 */
export function memberWays(
  entity: AnyEntity,
  taken: Properties,
  path: string,
  owner: () => EntityModel,
): readonly Navigation[] {
  return Object.entries(entity.subordinates).map(([name, schema]) => {
    const way = nameOfWay(name, taken, 'subordinates');
    const declared = declaredProperty(schema);
    const isObject = declared.kind === 'object';
    const values = isObject ? declared.properties : { [WHOLE]: { ...declared, required: true } };
    const named = Object.hasOwn(values, 'key') ? 'member_key' : 'key';
    const model: EntityModel = {
      name: `${entity.name}_${way}`,
      table: 'entities',
      within: { owner, path: ['subordinates', name], named, ...(!isObject && { whole: WHOLE }) },
      served: { path: `${path}/${way}/{member}`, by: [OWNER, named] },
      key: [named],
      properties: { [named]: { kind: 'string', required: true }, ...values },
      navigation: [],
    };
    return { name: way, many: true, contained: true, target: () => model, on: [['key', OWNER]] };
  });
}

import { displayNamesOf } from '../../definition/display-name.js';
import type { AnyEntity } from '../../definition/entity.js';
import { pathOfType, type EntityModule } from '../module.js';
import type { EntityModel, Navigation, Properties, Property } from '../odata/index.js';
import { liveSchema } from '../live-schema.js';
import { declaredProperty, objectProperties } from './declared-property.js';
import { keyPartNames, keyPartProperties } from './key-part-names.js';
import type { LevelModels } from './level-models.js';
import { memberWays } from './member-ways.js';
import { nameOfWay } from './name-of-way.js';
import { viewModel } from './view-model.js';

/** The entity itself does not tell these; the list of all types has them. */
const OF_ROWS = ['written_time', 'need_since', 'need', 'waits'];

/** The models, by the names of the types. */
export type EntityModels = ReadonlyMap<string, EntityModel>;

/** Describes what a query can ask of the entities of each type: the store's columns, and within them all that is declared. S6.2 */
export function entityModels(modules: readonly EntityModule[], levels: LevelModels): EntityModels {
  const entities = modules.flatMap((module) => module.entities);
  const models = new Map<string, EntityModel>();
  for (const entity of entities) {
    const base = viewModel('entities', Object.keys(entity.dimensions));
    const columns = Object.fromEntries(Object.entries(base.properties).filter(([name]) => !OF_ROWS.includes(name)));
    const parts = keyPartNames(entity);
    const properties = { ...columns, ...keyPartProperties(parts), ...declaredColumns(entity) };
    const path = `${pathOf(entity)}/{key}`;
    const members = memberWays(entity, properties, path, () => resolve({ name: 'owner', target: entity.name }));
    const ways = [...levels.entities.navigation, ...linkWays(entity, properties), ...members].filter(isServed);
    const navigation = ways.map((way): Navigation => ({ ...way, target: () => resolve(way) }));
    // `only` says that the type is the same in all rows.
    models.set(entity.name, {
      ...base,
      name: entity.name,
      only: { type: entity.name },
      served: { path, by: ['key'] },
      key: ['key'],
      properties,
      ...(parts.length > 0 && { keyParts: { column: 'key', names: parts.map(({ name }) => name) } }),
      live: LIVE,
      navigation,
    });
  }
  return models;

  /** The path of the type, in the first module that has it. */
  function pathOf({ name }: AnyEntity): string {
    const module = modules.find((each) => each.entities.some((entity) => entity.name === name));
    return module ? pathOfType(module, name) : '';
  }

  function isServed({ target }: Way): boolean {
    return typeof target === 'function' || models.has(target) || entities.some(({ name }) => name === target);
  }

  function resolve({ name, target }: Pick<Way, 'name' | 'target'>): EntityModel {
    const model = typeof target === 'function' ? target() : models.get(target);
    if (!model) throw new Error(`the navigation ${name} leads nowhere`);
    return model;
  }
}

/** A navigation that names the type to which it leads, since types may link to each other. */
type Way = Omit<Navigation, 'target'> & { readonly target: Navigation['target'] | string };

const LIVE = objectProperties(liveSchema);

function linkWays({ links }: AnyEntity, taken: Properties): readonly Way[] {
  return Object.entries(links).map(([name, { to, many }]) => ({
    name: nameOfWay(name, taken, 'link'),
    many,
    target: to,
    on: [[many ? { anyOf: ['links', name] } : { text: ['links', name] }, 'key']],
  }));
}

function declaredColumns(entity: AnyEntity): Properties {
  const object = (properties: Properties): Property => ({ kind: 'object', properties, required: true });
  const links = Object.entries(entity.links).map(([name, { many }]): [string, Property] => [
    name,
    many ? { kind: 'collection', of: { kind: 'string', required: true } } : { kind: 'string' },
  ]);
  const subordinates = Object.entries(entity.subordinates).map(([name, schema]): [string, Property] => [
    name,
    { kind: 'json', mapOf: { ...declaredProperty(schema), required: true } },
  ]);
  return {
    state: {
      kind: 'enum',
      values: Object.keys(entity.states),
      displayNames: displayNamesOf(entity).states,
      required: true,
    },
    health: { kind: 'enum', values: ['normal', 'error'], required: true },
    properties: { ...declaredProperties(entity), required: true },
    links: object(Object.fromEntries(links)),
    subordinates: object(Object.fromEntries(subordinates)),
  };
}

/** The declared properties. It says which of them only the construction sets (S1.2), and which are secret (Q5). */
function declaredProperties({ properties, fixed, secret }: AnyEntity): Property {
  const declared = declaredProperty(properties);
  if (declared.kind !== 'object') return declared;
  const told = Object.entries(declared.properties).map(([name, property]): [string, Property] => [
    name,
    {
      ...property,
      ...(fixed.includes(name) && { fixed: true }),
      ...(secret.includes(name) && { secret: true }),
    },
  ]);
  return { ...declared, properties: Object.fromEntries(told) };
}

import type { AnyEntity } from '../../definition/entity.js';
import { publicEvents } from '../declared-schema.js';
import { OWNER, type EntityModel, type Navigation, type Properties } from '../odata/index.js';
import type { Catalogue, ListRoot } from './catalogue.js';
import { CORE, isSayable, VALIDATION, ValueTypes, type Csdl } from './csdl-types.js';
import { declaredParameters } from './declared-property.js';

/*
 * Says in OData's own words what can be asked for and which events can be raised: CSDL JSON 4.01, with a schema for each module
 * and one for what the store tells. S6.2
 */

const CAPABILITIES = 'Org.OData.Capabilities.V1';
const REFERENCE = Object.fromEntries(
  [CORE, CAPABILITIES, VALIDATION].map((name) => [
    `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${name}.json`,
    { $Include: [{ $Namespace: name }] },
  ]),
);

/** The `$metadata` of a root, whose lists are the entity sets. */
export function metadataOf({ levels, store, modules }: Catalogue, root: ListRoot): Csdl {
  const schemas = [
    ...modules.map((each) => ({ root: each, models: each.lists.flatMap(({ model }) => [model, ...membersOf(model)]) })),
    { root: store, models: Object.values(levels) },
  ];
  const names = new Map(
    schemas.flatMap(({ root: { namespace }, models }) => models.map((model) => [model, `${namespace}.${model.name}`])),
  );
  // The root's own schema comes first, since clients name the service after the first one.
  const ordered = [...schemas.filter((each) => each.root === root), ...schemas.filter((each) => each.root !== root)];
  const described = ordered.map(({ root: each, models }) => {
    const container = each === root ? { Container: containerOf(root, names) } : {};
    return [each.namespace, { ...schemaOf(each, models, names, levels.operations), ...container }] as const;
  });
  return {
    $Version: '4.01',
    $EntityContainer: `${root.namespace}.Container`,
    $Reference: REFERENCE,
    ...Object.fromEntries(described),
  };
}

type Names = ReadonlyMap<EntityModel, string>;

/** The models of what belongs to the rows of a model alone. */
function membersOf({ navigation }: EntityModel): readonly EntityModel[] {
  return navigation.flatMap(({ contained, target }) => (contained ? [target()] : []));
}

function schemaOf(
  { namespace, module }: ListRoot,
  models: readonly EntityModel[],
  names: Names,
  operations: EntityModel,
): Csdl {
  const types = new ValueTypes(
    namespace,
    models.map(({ name }) => name),
  );
  const entityTypes = models.map((model) => [model.name, entityTypeOf(model, types, names)] as const);
  const actions = module ? actionsOf(module.entities, types, names.get(operations)) : {};
  return { ...Object.fromEntries(entityTypes), ...actions, ...types.complex };
}

function entityTypeOf(model: EntityModel, types: ValueTypes, names: Names): Csdl {
  const key = model.keyParts?.names ?? model.served?.by.filter((name) => name !== OWNER) ?? model.key;
  const properties = { ...model.properties, ...model.live };
  const told = Object.entries(properties).map(([name, property]) => {
    const required = key.includes(name) || (property.required === true && !model.late?.includes(name));
    return [name, { ...property, required }] as const;
  });
  const ways = model.navigation.map((way) => [way.name, navigationOf(way, names)] as const);
  const open = Object.keys(properties).every(isSayable) ? {} : { $OpenType: true };
  const members = types.members(Object.fromEntries(told), model.name);
  return { $Kind: 'EntityType', $Key: key, ...open, ...members, ...Object.fromEntries(ways) };
}

function navigationOf({ many, contained, target }: Navigation, names: Names): Csdl {
  const type = { $Kind: 'NavigationProperty', $Type: names.get(target()) ?? 'Edm.EntityType' };
  if (!many) return { ...type, $Nullable: true };
  return { ...type, $Collection: true, ...(contained && { $ContainsTarget: true }) };
}

function containerOf({ lists }: ListRoot, names: Names): Csdl {
  const setOf = new Map(lists.map(({ name, model }) => [model, name]));
  const sets = lists.map(({ name, model }) => {
    const bindings = model.navigation.flatMap((way): (readonly [string, string])[] => {
      const set = setOf.get(way.target());
      return set === undefined ? [] : [[way.name, set]];
    });
    const bound = bindings.length > 0 && { $NavigationPropertyBinding: Object.fromEntries(bindings) };
    return [name, { $Collection: true, $Type: names.get(model), ...bound, ...capabilitiesOf(model) }] as const;
  });
  return { $Kind: 'EntityContainer', ...Object.fromEntries(sets) };
}

/**
 * The capabilities of a list. Entities change only by events. No list can be filtered or ordered by what only a read of a single
 * entity tells, nor by what is secret.
 */
function capabilitiesOf({ live = {}, properties }: EntityModel): Csdl {
  const told = [...Object.keys(live), ...secretPaths(properties)];
  return {
    [`@${CAPABILITIES}.InsertRestrictions`]: { Insertable: false },
    [`@${CAPABILITIES}.UpdateRestrictions`]: { Updatable: false },
    [`@${CAPABILITIES}.DeleteRestrictions`]: { Deletable: false },
    ...(told.length > 0 && {
      [`@${CAPABILITIES}.FilterRestrictions`]: { NonFilterableProperties: told },
      [`@${CAPABILITIES}.SortRestrictions`]: { NonSortableProperties: told },
    }),
  };
}

function secretPaths(properties: Properties): readonly string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.secret === true) return [name];
    return property.kind === 'object' ? secretPaths(property.properties).map((path) => `${name}/${path}`) : [];
  });
}

/** Each event is an action that is bound to its type. Events of the same name are overloads. */
function actionsOf(entities: readonly AnyEntity[], types: ValueTypes, operation: string | undefined): Csdl {
  const actions: Record<string, readonly Csdl[]> = {};
  for (const entity of entities) {
    for (const event of publicEvents(entity)) {
      const parameters = parametersOf(entity, event, types);
      const bound = { $Name: 'bindingParameter', $Type: `${types.namespace}.${entity.name}` };
      const displayName = entity.events[event]?.displayName;
      const described = displayName !== undefined && { [`@${CORE}.Description`]: displayName };
      const action = { $Kind: 'Action', $IsBound: true, $Parameter: [bound, ...parameters], ...described };
      actions[event] = [...(actions[event] ?? []), { ...action, $ReturnType: { $Type: operation } }];
    }
  }
  return actions;
}

/** The parameters of an event. Those that may be left out come last, as OData demands. */
function parametersOf({ name, events }: AnyEntity, event: string, types: ValueTypes): readonly Csdl[] {
  const params = events[event]?.params;
  const declared = (params ? declaredParameters(params) : []).filter((parameter) => isSayable(parameter.name));
  const described = declared.map(({ name: parameter, property, optional }) => ({
    $Name: parameter,
    ...types.of(property, `${name}_${event}_${parameter}`),
    ...(optional && { [`@${CORE}.OptionalParameter`]: {} }),
  }));
  const isOptional = (_: Csdl, index: number) => declared[index]?.optional === true;
  return [...described.filter((each, index) => !isOptional(each, index)), ...described.filter(isOptional)];
}

import type { AnyEntity } from '../../definition/entity.js';
import { publicEvents } from '../declared-schema.js';
import type { EntityModel, Navigation, Property } from '../odata/index.js';
import type { Catalogue, ListRoot } from './catalogue.js';
import { declaredProperty } from './declared-property.js';

/*
 * What can be asked for and raised, in OData's own words: CSDL JSON 4.01, with a schema for each module and one for what the
 * store tells. S6.2
 */

type Csdl = Readonly<Record<string, unknown>>;

const VALIDATION = 'Org.OData.Validation.V1';
const REFERENCE = {
  [`https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${VALIDATION}.json`]: {
    $Include: [{ $Namespace: VALIDATION }],
  },
};
/** A name that OData can say. */
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}_]{0,127}$/u;

/** The `$metadata` of a root, whose lists are the entity sets. */
export function metadataOf({ levels, store, modules }: Catalogue, root: ListRoot): Csdl {
  const schemas = [
    ...modules.map((each) => ({ root: each, models: each.lists.map(({ model }) => model) })),
    { root: store, models: Object.values(levels) },
  ];
  const names = new Map(
    schemas.flatMap(({ root: { namespace }, models }) => models.map((model) => [model, `${namespace}.${model.name}`])),
  );
  const described = schemas.map(({ root: each, models }) => {
    const container = each === root ? { Container: containerOf(root, names) } : {};
    return [each.namespace, { ...schemaOf(each, models, names), ...container }] as const;
  });
  return {
    $Version: '4.01',
    $EntityContainer: `${root.namespace}.Container`,
    $Reference: REFERENCE,
    ...Object.fromEntries(described),
  };
}

type Names = ReadonlyMap<EntityModel, string>;

function schemaOf({ namespace, module }: ListRoot, models: readonly EntityModel[], names: Names): Csdl {
  const types = new Types(namespace);
  const entityTypes = models.map((model) => [model.name, entityTypeOf(model, types, names)] as const);
  const actions = module ? actionsOf(module.entities, types) : {};
  return { ...Object.fromEntries(entityTypes), ...actions, ...types.complex };
}

/** The complex types of a schema, as they are needed. */
class Types {
  readonly complex: Record<string, Csdl> = {};

  constructor(readonly namespace: string) {}

  /** The type of a value, whose own type, if it needs one, gets a name. */
  of(property: Property, name: string): Csdl {
    const nullable = property.required ? {} : { $Nullable: true };
    switch (property.kind) {
      case 'string':
        return nullable;
      case 'integer':
        return { $Type: 'Edm.Int64', ...nullable };
      case 'double':
        return { $Type: 'Edm.Double', ...nullable };
      case 'boolean':
        return { $Type: 'Edm.Boolean', ...nullable };
      case 'dateTime':
        return { $Type: 'Edm.DateTimeOffset', $Precision: 6, ...nullable };
      case 'date':
        return { $Type: 'Edm.Date', ...nullable };
      case 'guid':
        return { $Type: 'Edm.Guid', ...nullable };
      case 'enum':
        return { ...nullable, [`@${VALIDATION}.AllowedValues`]: property.values.map((Value) => ({ Value })) };
      case 'object':
        return { $Type: this.#complexType(property.properties, name), ...nullable };
      case 'collection': {
        const { of } = property;
        // There are no collections of collections.
        const item = of.kind === 'collection' ? { $Type: 'Edm.Untyped', $Nullable: true } : this.of(of, name);
        return { $Collection: true, ...item };
      }
      case 'json':
        return { $Type: 'Edm.Untyped', $Nullable: true };
    }
  }

  #complexType(properties: Readonly<Record<string, Property>>, name: string): string {
    this.complex[name] = { $Kind: 'ComplexType', ...membersOf(properties, this, name) };
    return `${this.namespace}.${name}`;
  }
}

function membersOf(properties: Readonly<Record<string, Property>>, types: Types, owner: string): Csdl {
  const known = Object.entries(properties).filter(([name]) => IDENTIFIER.test(name));
  return Object.fromEntries(known.map(([name, property]) => [name, types.of(property, `${owner}_${name}`)]));
}

function entityTypeOf(model: EntityModel, types: Types, names: Names): Csdl {
  const ways = model.navigation.map((way) => [way.name, navigationOf(way, names)] as const);
  const members = membersOf(model.properties, types, model.name);
  return { $Kind: 'EntityType', $Key: model.key, ...members, ...Object.fromEntries(ways) };
}

function navigationOf({ many, target }: Navigation, names: Names): Csdl {
  const type = { $Kind: 'NavigationProperty', $Type: names.get(target()) ?? 'Edm.EntityType' };
  return many ? { ...type, $Collection: true } : { ...type, $Nullable: true };
}

function containerOf({ lists }: ListRoot, names: Names): Csdl {
  const setOf = new Map(lists.map(({ name, model }) => [model, name]));
  const sets = lists.map(({ name, model }) => {
    const bindings = model.navigation.flatMap((way): (readonly [string, string])[] => {
      const set = setOf.get(way.target());
      return set === undefined ? [] : [[way.name, set]];
    });
    const bound = bindings.length > 0 && { $NavigationPropertyBinding: Object.fromEntries(bindings) };
    return [name, { $Collection: true, $Type: names.get(model), ...bound }] as const;
  });
  return { $Kind: 'EntityContainer', ...Object.fromEntries(sets) };
}

/** Each event as an action that is bound to its type; those of one name are overloads. */
function actionsOf(entities: readonly AnyEntity[], types: Types): Csdl {
  const actions: Record<string, readonly Csdl[]> = {};
  for (const entity of entities) {
    for (const event of publicEvents(entity)) {
      actions[event] = [...(actions[event] ?? []), actionOf(entity, event, types)];
    }
  }
  return actions;
}

function actionOf({ name, events }: AnyEntity, event: string, types: Types): Csdl {
  const params = events[event]?.params;
  const declared = params && declaredProperty(params, 'input');
  const properties = declared?.kind === 'object' ? declared.properties : {};
  const members = membersOf(properties, types, `${name}_${event}`);
  const parameters = Object.entries(members).map(([parameter, type]) => ({ $Name: parameter, ...(type as Csdl) }));
  const bound = { $Name: 'entity', $Type: `${types.namespace}.${name}` };
  return { $Kind: 'Action', $IsBound: true, $Parameter: [bound, ...parameters] };
}

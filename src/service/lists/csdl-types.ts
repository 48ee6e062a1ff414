import type { Properties, Property } from '../odata/index.js';

/** A part of CSDL JSON 4.01. */
export type Csdl = Readonly<Record<string, unknown>>;

export const CORE = 'Org.OData.Core.V1';
export const VALIDATION = 'Org.OData.Validation.V1';

/** The names that OData allows. */
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}_]{0,127}$/u;

export function isSayable(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** The types of values in one schema, with the complex types that they need. */
export class ValueTypes {
  readonly complex: Record<string, Csdl> = {};
  readonly #taken: ReadonlySet<string>;

  /** `taken` has the names of other types in the schema. */
  constructor(
    readonly namespace: string,
    taken: Iterable<string>,
  ) {
    this.#taken = new Set(taken);
  }

  /** The members whose names OData allows. Their own types are named after `owner`. */
  members(properties: Properties, owner: string): Csdl {
    const known = Object.entries(properties).filter(([name]) => isSayable(name));
    return Object.fromEntries(known.map(([name, property]) => [name, this.of(property, `${owner}_${name}`)]));
  }

  /** The type of a value. Where the value needs a type of its own, that gets `name`. */
  of(property: Property, name: string): Csdl {
    const typed = this.#typed(property, name);
    return property.fixed === true ? { ...typed, [`@${CORE}.Immutable`]: true } : typed;
  }

  #typed(property: Property, name: string): Csdl {
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
        return { $Type: 'Edm.DateTimeOffset', ...nullable, $Precision: 3 };
      case 'date':
        return { $Type: 'Edm.Date', ...nullable };
      case 'guid':
        return { $Type: 'Edm.Guid', ...nullable };
      case 'enum':
        return { ...nullable, [`@${VALIDATION}.AllowedValues`]: allowedValues(property) };
      case 'object':
        return { $Type: this.#object(property.properties, name, property.open === true), ...nullable };
      case 'collection': {
        const { of } = property;
        // OData has no collections of collections.
        const item = of.kind === 'collection' ? { $Type: 'Edm.Untyped', $Nullable: true } : this.of(of, name);
        return { $Collection: true, ...item };
      }
      case 'json':
        if (!property.mapOf) return { $Type: 'Edm.Untyped', $Nullable: true };
        return { $Type: this.#map(property.mapOf, name), ...nullable };
    }
  }

  #object(properties: Properties, name: string, open: boolean): string {
    // A member whose name OData does not allow is in the values all the same.
    const isOpen = open || !Object.keys(properties).every(isSayable);
    return this.#add(name, { ...(isOpen && { $OpenType: true }), ...this.members(properties, name) });
  }

  /** An object with any names, each with a value of one type. */
  #map(of: Property, name: string): string {
    const { $Type: type = 'Edm.String', $Collection: many } = this.of(of, `${name}_value`);
    const constraint = [many ? `Collection(${String(type)})` : type];
    return this.#add(name, { $OpenType: true, [`@${VALIDATION}.OpenPropertyTypeConstraint`]: constraint });
  }

  #add(wanted: string, members: Csdl): string {
    let name = wanted;
    while (this.#taken.has(name) || Object.hasOwn(this.complex, name)) name = `${name}_`;
    this.complex[name] = { $Kind: 'ComplexType', ...members };
    return `${this.namespace}.${name}`;
  }
}

/** The values of an enumeration. A display name becomes the description of its value. */
function allowedValues({ values, displayNames = {} }: Extract<Property, { kind: 'enum' }>): readonly Csdl[] {
  return values.map((Value) => ({
    Value,
    ...(Object.hasOwn(displayNames, Value) && { [`@${CORE}.Description`]: displayNames[Value] }),
  }));
}

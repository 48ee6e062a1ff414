import type { z } from 'zod';
import { jsonSchemaOf, type JsonSchema } from '../declared-schema.js';
import type { Properties, Property } from '../odata/index.js';

const STRING_FORMATS: Readonly<Record<string, Property>> = {
  'date-time': { kind: 'dateTime' },
  date: { kind: 'date' },
  uuid: { kind: 'guid' },
};

/**
 * Describes what a query can ask of a value of a declared schema. Where only JSON can say what the value is, a query can only ask whether
 * it is there.
 */
export function declaredProperty(schema: z.ZodType): Property {
  return propertyOf(jsonSchemaOf(schema, 'output'));
}

/** Describes what a query can ask of each member of an object. */
export function objectProperties(schema: z.ZodObject): Properties {
  const property = declaredProperty(schema);
  return property.kind === 'object' ? property.properties : {};
}

export interface DeclaredParameter {
  readonly name: string;
  readonly property: Property;
  /** Tells whether it may be left out. */
  readonly optional: boolean;
}

/**
 * The parameters of an event. Where the schema has alternatives, these are the parameters of all of them. There are none where
 * the schema is not an object with declared members.
 */
export function declaredParameters(schema: z.ZodType): readonly DeclaredParameter[] {
  return parametersOf(jsonSchemaOf(schema, 'input'));
}

function parametersOf(schema: JsonSchema): readonly DeclaredParameter[] {
  const { properties, required, anyOf, oneOf } = schema;
  const alternatives = [anyOf, oneOf].filter(isList).flat().filter(isObject).map(parametersOf);
  const names = new Set(alternatives.flatMap((each) => each.map(({ name }) => name)));
  const ofAlternatives = [...names].map((name) => {
    const found = alternatives.flatMap((each) => each.filter((parameter) => parameter.name === name));
    const [first] = found;
    const same = found.every((each) => JSON.stringify(each.property) === JSON.stringify(first?.property));
    const property: Property = same && first ? first.property : { kind: 'json' };
    return { name, property, optional: found.length < alternatives.length || found.some(({ optional }) => optional) };
  });
  const needed = isList(required) ? required : [];
  const own = Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => {
    const property = isObject(each) ? propertyOf(each) : { kind: 'json' as const };
    return { name, property: { ...property, required: !takesNull(each) }, optional: !needed.includes(name) };
  });
  return [...own, ...ofAlternatives];
}

function propertyOf(schema: JsonSchema): Property {
  const { type, enum: names, const: only, format, properties, items } = schema;
  const values = names ?? (only === undefined ? undefined : [only]);
  if (isList(values) && values.length > 0 && values.every(isText)) return { kind: 'enum', values };
  if (type === 'string') return (isText(format) && STRING_FORMATS[format]) || { kind: 'string' };
  if (type === 'integer' || type === 'boolean') return { kind: type };
  if (type === 'number') return { kind: 'double' };
  if (type === 'array' && isObject(items)) {
    return { kind: 'collection', of: { ...propertyOf(items), required: !takesNull(items) } };
  }
  const others = schema['additionalProperties'];
  if (type === 'object' && isObject(properties)) {
    const open = isObject(others) && { open: true };
    return { kind: 'object', properties: propertiesOf(properties, schema['required']), ...open };
  }
  if (type === 'object' && isObject(others)) return { kind: 'json', mapOf: propertyOf(others) };
  return alternative(schema) ?? { kind: 'json' };
}

function propertiesOf(schemas: JsonSchema, required: unknown): Properties {
  const needed = isList(required) ? required : [];
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const property = isObject(schema) ? propertyOf(schema) : { kind: 'json' as const };
    return [name, { ...property, required: needed.includes(name) && !takesNull(schema) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The property of a schema that allows `null` or one other thing: the other thing. */
function alternative({ anyOf }: JsonSchema): Property | undefined {
  const others = isList(anyOf) ? anyOf.filter(isObject).filter(({ type }) => type !== 'null') : [];
  return others.length === 1 && others[0] ? propertyOf(others[0]) : undefined;
}

function takesNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  return schema['type'] === 'null' || (isList(schema['anyOf']) && schema['anyOf'].some(takesNull));
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !isList(value);
}

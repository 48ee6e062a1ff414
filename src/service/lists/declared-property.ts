import type { z } from 'zod';
import { jsonSchemaOf, type JsonSchema } from '../declared-schema.js';
import type { Properties, Property } from '../odata/index.js';

const STRING_FORMATS: Readonly<Record<string, Property>> = {
  'date-time': { kind: 'dateTime' },
  date: { kind: 'date' },
  uuid: { kind: 'guid' },
};

/** What can be asked of a value of a declared schema; of what JSON alone can say, only whether it is there. */
export function declaredProperty(schema: z.ZodType, io: 'input' | 'output' = 'output'): Property {
  return propertyOf(jsonSchemaOf(schema, io));
}

function propertyOf(schema: JsonSchema): Property {
  const { type, enum: names, const: only, format, properties, items } = schema;
  const values = names ?? (only === undefined ? undefined : [only]);
  if (isList(values) && values.length > 0 && values.every(isText)) return { kind: 'enum', values };
  if (type === 'string') return (isText(format) && STRING_FORMATS[format]) || { kind: 'string' };
  if (type === 'integer' || type === 'boolean') return { kind: type };
  if (type === 'number') return { kind: 'double' };
  if (type === 'array' && isObject(items)) return { kind: 'collection', of: propertyOf(items) };
  if (type === 'object' && isObject(properties)) {
    return { kind: 'object', properties: propertiesOf(properties, schema['required']) };
  }
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

/** `null` or one thing: that one thing. */
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

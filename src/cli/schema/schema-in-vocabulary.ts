import type { JsonSchema } from '../../service/declared-schema.js';
import { isRecord } from '../api/json-value.js';
import { ENTITY_NAMES, isOfTheProject, isTime, OUTCOMES } from '../vocabulary.js';

/** A time as commands print it: ISO 8601, in UTC, to the millisecond. */
const TIME = { type: 'string', format: 'date-time', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` };
const ENTITY = { type: 'string', description: 'The entity, as commands take it: `LogicalServer/orders`.' };
const OPENAPI_SCHEMAS = '#/components/schemas/';

/**
 * The schema of what a command prints, from the schema of what the service answers: it does with schemas what `inVocabulary` does
 * with documents. S6.3
 */
export function schemaInVocabulary(schema: JsonSchema): JsonSchema {
  const { example: _, $ref, properties, items, additionalProperties, anyOf, oneOf, allOf, ...rest } = schema;
  const each = (schemas: unknown) => (Array.isArray(schemas) ? schemas : []).map(inner);
  return {
    ...rest,
    ...(typeof $ref === 'string' && { $ref: $ref.replace(OPENAPI_SCHEMAS, '#/$defs/') }),
    ...(isRecord(properties) && withEntity(properties, schema['required'])),
    ...(items !== undefined && { items: inner(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf !== undefined && { anyOf: each(anyOf) }),
    ...(oneOf !== undefined && { oneOf: each(oneOf) }),
    ...(allOf !== undefined && { allOf: each(allOf) }),
    // Numbers at other places are milliseconds or seconds, but texts with a time have one form.
    ...(rest['format'] === 'date-time' && { pattern: TIME.pattern }),
  };
}

function inner(schema: unknown): unknown {
  return isRecord(schema) ? schemaInVocabulary(schema) : schema;
}

function withEntity(properties: JsonSchema, required: unknown): JsonSchema {
  const members = Object.entries(properties).map(([name, schema]) => [name, memberSchema(name, schema)] as const);
  const told = { properties: Object.fromEntries(members), ...(required !== undefined && { required }) };
  if ('entity' in properties || !namesEntity(properties)) return told;
  return { ...told, properties: { entity: ENTITY, ...told.properties } };
}

function memberSchema(name: string, schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  // A schema with a name is one of the service.
  if (isOfTheProject(name)) return isNamed(schema) ? schemaInVocabulary(schema) : schema;
  const types = [schema['type']].flat();
  const isScalar = types.some((type) => type === 'integer' || type === 'number' || type === 'string');
  if (isTime(name) && isScalar) {
    const { description } = schema;
    const type = types.includes('null') ? ['string', 'null'] : 'string';
    return { ...TIME, type, ...(description !== undefined && { description }) };
  }
  if (name === '@reeve.instance_outcome') return { ...schema, description: INSTANCE_OUTCOME };
  if (name === 'outcome' && isScalar) return outcomeSchema(schema, types);
  return schemaInVocabulary(schema);
}

/** Tells whether a schema only refers to one by its name. */
function isNamed({ $ref, allOf }: JsonSchema): boolean {
  const [first] = Array.isArray(allOf) ? (allOf as readonly unknown[]) : [];
  return typeof $ref === 'string' || (isRecord(first) && typeof first['$ref'] === 'string');
}

const INSTANCE_OUTCOME =
  'The outcome of an operation over partitions: `success`, `failed` or `canceled`. It is known while the operation still cleans up.';

/** An outcome is never null: what has none is running. */
function outcomeSchema({ enum: values, ...schema }: JsonSchema, types: readonly unknown[]): JsonSchema {
  const words = (Array.isArray(values) ? values : []).map((word: string | null) =>
    word === null ? 'running' : (OUTCOMES[word] ?? word),
  );
  const description = types.includes('null') ? '`success`, `failed`, `canceled`, `hung` or `running`.' : undefined;
  return {
    ...schema,
    type: 'string',
    ...(words.length > 0 && { enum: [...new Set(words)] }),
    ...(description !== undefined && { description }),
  };
}

/** Tells whether the members name an entity, so that `inVocabulary` adds its name. */
function namesEntity(properties: JsonSchema): boolean {
  const kinds = (properties['kind'] as JsonSchema | undefined)?.['enum'];
  if (Array.isArray(kinds) && kinds.includes('entity') && 'name' in properties) return true;
  return ENTITY_NAMES.some((names) => names.every((name) => isText(properties[name])));
}

function isText(schema: unknown): boolean {
  return isRecord(schema) && [schema['type']].flat().includes('string');
}

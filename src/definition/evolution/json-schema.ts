import type { CODE, SchemaCode } from './schema-code.js';

/** A JSON Schema, as zod writes it: of draft 2020-12, and with what it cannot say. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly [CODE]?: SchemaCode;
}

/** A schema with the document in which its references are found. */
export interface Rooted {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

export function rooted(schema: unknown): Rooted {
  return { schema: schema as JsonSchema, root: schema as JsonSchema };
}

/** Follows references: `#`, `#/$defs/Name`. */
export function resolve({ schema, root }: Rooted): Rooted {
  let found = schema;
  for (let steps = 0; found.$ref !== undefined && steps < 100; steps++) {
    const { $ref } = found;
    const next = $ref === '#' ? root : root.$defs?.[decodeURIComponent($ref.replace('#/$defs/', ''))];
    if (!next) return { schema: {}, root };
    found = next;
  }
  return { schema: found, root };
}

export function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  return type === undefined ? undefined : typeof type === 'string' ? [type] : type;
}

/** The JSON type of a value; whole numbers are integers. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

import type { z } from 'zod';
import { jsonSchemaOf } from '../values/json-schema.js';
import { defOf, type AnySchema } from '../values/schema-parts.js';
import { CODE, codeOf, type SchemaCode } from './schema-code.js';

/** The JSON Schema of a schema, with what JSON Schema cannot say under a keyword of its own. */
export function modelSchemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return jsonSchemaOf(schema, io, noteCode);
}

function noteCode(schema: AnySchema, jsonSchema: Record<string, unknown>): void {
  const own = codeOf(schema);
  // A pipe tells of all that is in it, whichever part JSON Schema shows.
  const isPipe = defOf(schema).type === 'pipe';
  const code = isPipe ? own : joined(jsonSchema[CODE] as SchemaCode | undefined, own);
  if (code) jsonSchema[CODE] = code;
}

/** All that either has, each once. */
export function joined(one: SchemaCode | undefined, other: SchemaCode | undefined): SchemaCode | undefined {
  if (!one || !other) return one ?? other;
  const all = (lists: readonly (readonly string[] | undefined)[]) => [...new Set(lists.flatMap((list) => list ?? []))];
  const [rules, conversions] = [all([one.rules, other.rules]), all([one.conversions, other.conversions])];
  return { ...(rules.length > 0 && { rules }), ...(conversions.length > 0 && { conversions }) };
}

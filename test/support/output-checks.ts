import { z } from 'zod';
import { isRecord } from '../../src/cli/api/json-value.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks what commands print against the document of `reeve schema`. A member that a schema does not name is a mistake too, though the schema
 * itself allows it, so that a program does not break when a later version adds one.
 */
export function outputChecks(document: object): (args: readonly string[], printed: unknown) => readonly string[] {
  const $defs = closed((document as Schema)['$defs']) as Record<string, z.core.JSONSchema.JSONSchema>;
  const made = new Map<string, z.ZodType>();
  return (args, printed) => {
    const words = args.filter((word) => !word.startsWith('-'));
    const command = words.map((_, at) => `reeve ${words.slice(0, at + 1).join(' ')}`).findLast((name) => name in $defs);
    if (command === undefined) return [`no schema for reeve ${args.join(' ')}`];
    const schema = made.get(command) ?? z.fromJSONSchema({ $defs, $ref: `#/$defs/${command}` });
    made.set(command, schema);
    const { error } = schema.safeParse(printed);
    return error ? [`${command}: ${z.prettifyError(error)}`] : [];
  };
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return isRecord(schema['properties']) && 'type' in schema ? { additionalProperties: false, ...inner } : inner;
}

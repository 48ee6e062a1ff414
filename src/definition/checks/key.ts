import { z } from 'zod';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { keySchemas, type KeyPart } from '../key-schema.js';

/**
 * A key is one text, or has parts. A part is a text, a choice between texts, or a whole number: each of these has exactly one
 * text, from which it can be read back. Dates and the like are texts with a format.
 */
export function keyProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const schemas = keySchemas(entity);
  if (!schemas) return [];
  const names = Object.keys(schemas);
  if (names.length < 2) {
    const remedy = 'Write key: z.string() for a key that has no parts.';
    return [{ place: 'key', problem: names.length === 0 ? 'has no parts' : 'has only one part', remedy }];
  }
  return names.flatMap((name) => [...nameProblems(name), ...partProblems(name, schemas[name]!)]);
}

/** Parts are named in addresses and beside the columns of rows. */
function nameProblems(name: string): readonly DeclarationProblem[] {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) return [];
  const remedy = 'Use letters and digits only, like server.';
  return [{ place: `key.${name}`, problem: `'${name}' is not a valid name`, remedy }];
}

function partProblems(name: string, schema: KeyPart): readonly DeclarationProblem[] {
  const problem = problemOf(schema);
  if (problem === undefined) return [];
  const remedy = "Use z.string() or a format of it such as z.iso.date(), z.enum(['a', 'b']), or z.int().";
  return [{ place: `key.${name}`, problem, remedy }];
}

function problemOf(schema: KeyPart): string | undefined {
  const { type, coerce, checks = [] } = schema._zod.def as z.core.$ZodStringDef;
  if (coerce || checks.some((check) => check._zod.def.check === 'overwrite')) return 'changes the given value';
  switch (type as z.core.$ZodTypeDef['type']) {
    case 'string':
      return undefined;
    case 'enum':
    case 'literal':
      return [...(schema._zod.values ?? [])].every((value) => typeof value === 'string') ? undefined : 'is not a text';
    case 'number':
      return z.toJSONSchema(schema).type === 'integer' ? undefined : 'may be no whole number';
    default:
      return 'is not always a text or a whole number, unchanged';
  }
}

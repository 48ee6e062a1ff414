import type { PendingCallback } from './api/callbacks.js';
import { titleOf } from './api/callbacks.js';
import { shellWord } from '../definition/shell-word.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { colours as pc } from './colours.js';
import { oneLine } from './list/table.js';
import { inWords } from './explanation/time-words.js';

type JsonSchema = NonNullable<PendingCallback['output']>;

/** Tells what is awaited from outside, and how it is answered: a line for people, and a command for their shell. */
export function callbackLines(
  entity: EntityRef,
  awaited: PendingCallback,
  question: unknown,
  now: number,
): readonly string[] {
  const { since, until, url } = awaited;
  const { output } = bodyOf(awaited);
  const times = `asked ${inWords(now - since)} ago, ${inWords(until - now)} at most`;
  return [
    `${titleOf(awaited)}  ${pc.dim(times)}`,
    ...(question === undefined ? [] : [`  asks ${oneLine(JSON.stringify(question))}`]),
    ...(url === undefined ? [pc.dim('  the address of the service is not known: set REEVE_CALLBACK_URL')] : []),
    ...(url === undefined
      ? []
      : [
          `  reeve callbacks answer ${shellWord(entityId(entity))} ${shellWord(titleOf(awaited))} --output ${shellWord(JSON.stringify(output))}`,
          '  or, with the address alone:',
          `  curl -X POST '${url}' -H 'content-type: application/json' -d ${shellWord(JSON.stringify({ output }))}`,
        ]),
  ];
}

/** A body that the address takes, to be filled in. */
function bodyOf({ output }: PendingCallback): { readonly output: unknown } {
  return { output: output ? exampleOf(output) : {} };
}

/** A value of the form that a JSON Schema describes. It need not keep to lengths and patterns. */
function exampleOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[choice];
    if (Array.isArray(parts)) return exampleOf(parts[0] as JsonSchema);
  }
  switch (schema['type']) {
    case 'object': {
      const required = new Set((schema['required'] ?? []) as readonly string[]);
      const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
      return Object.fromEntries(
        members.filter(([name]) => required.has(name)).map(([name, member]) => [name, exampleOf(member)]),
      );
    }
    case 'array':
      return [];
    case 'string':
      return '...';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

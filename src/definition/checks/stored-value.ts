import type { z } from 'zod';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { jsonSchemaOf } from '../values/json-schema.js';
import { unknownName } from './graph.js';

/** The JSON Schema of a stored value; nothing where that is not known, or where the value may be anything. */
export type Stored = Readonly<Record<string, unknown>>;

/**
 * Finds the schema of the value at a path, or the reason why there is none.
 * @param params those of the event that asks
 */
export function storedAt(
  entity: AnyEntity,
  place: string,
  subject: string,
  params?: z.ZodType,
): { readonly stored: Stored | undefined } | DeclarationProblem {
  const [kind = '', first = '', ...rest] = subject.split('.');
  if (kind === 'links') {
    const link = Object.hasOwn(entity.links, first) ? entity.links[first] : undefined;
    if (!link || rest.length > 0) {
      return unknownName(place, 'link', [first, ...rest].join('.'), Object.keys(entity.links));
    }
    const key = { type: 'string' };
    return { stored: link.many ? { type: 'array', items: key } : key };
  }
  const schema = kind === 'properties' ? entity.properties : params;
  if (!schema) {
    const problem = `asks about the parameter '${first}' of an event that takes none`;
    return { place, problem, remedy: 'Declare params: z.object({ ... }).' };
  }
  const root = outlineOf(schema);
  let stored: Stored | undefined = root;
  const path = [first, ...rest];
  for (const [index, name] of path.entries()) {
    const within = (member: string) => [...path.slice(0, index), member].join('.');
    const members: Readonly<Record<string, Stored>> | undefined = stored && membersByName(root, stored);
    if (members && !Object.hasOwn(members, name)) {
      const what = kind === 'properties' ? 'property' : 'parameter';
      return unknownName(place, what, within(name), Object.keys(members).map(within));
    }
    stored = members && resolved(root, members[name]!);
  }
  return { stored };
}

function outlineOf(schema: z.ZodType): Stored {
  try {
    return jsonSchemaOf(schema, 'output') as Stored;
  } catch {
    // A default that is no JSON, say: the check of values names it.
    return {};
  }
}

/** The members of an object by their names; nothing where any name may be there. */
function membersByName(root: Stored, stored: Stored): Readonly<Record<string, Stored>> | undefined {
  const { properties, additionalProperties = false } = resolved(root, stored) ?? {};
  return properties && additionalProperties === false ? (properties as Readonly<Record<string, Stored>>) : undefined;
}

function resolved(root: Stored, stored: Stored): Stored | undefined {
  const { $ref } = stored;
  if (typeof $ref !== 'string') return stored;
  if ($ref === '#') return root;
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref) ?? [];
  return name === undefined ? undefined : (root['$defs'] as Readonly<Record<string, Stored>> | undefined)?.[name];
}

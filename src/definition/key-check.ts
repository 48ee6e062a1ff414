import type { AnyEntity } from './entity.js';
import { keySchemas, type AnyKeyParts, type KeyPart } from './key-schema.js';
import { joinTexts, splitText, unaddressableKey } from './key-text.js';
import { namedMessageOf } from './thrown.js';

/** Something that is wrong with a key, or with one of its parts: `key.name`. */
export interface KeyIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * The text of a key that is given as text or by its parts, or what is wrong with the parts, or with any such text. Whether it is one of
 * the type is decided where the entity is created.
 */
export function joinKey(entity: AnyEntity, given: unknown): { readonly key: string } | { readonly issues: Issues } {
  const wrong = typeof given === 'string' ? [] : partsIssues(entity, given);
  if (wrong.length > 0) return { issues: wrong };
  const names = Object.keys(keySchemas(entity) ?? {});
  const key = typeof given === 'string' ? given : joinTexts(names.map((name) => String((given as AnyKeyParts)[name])));
  const issues = unaddressable(key);
  return issues.length > 0 ? { issues } : { key };
}

/** The parts of a key as their schemas take them, or what is wrong with the text. Only its form is checked. */
export function splitKey(
  schemas: Readonly<Record<string, KeyPart>>,
  key: string,
): { readonly parts: AnyKeyParts } | { readonly issues: Issues } {
  const names = Object.keys(schemas);
  const texts = splitText(key);
  if (texts?.length !== names.length) {
    const form = names.join(',');
    return { issues: [{ path: 'key', message: `it has not the form '${form}', with ~1 for a comma and ~0 for ~` }] };
  }
  const parts = names.map((name, index) => [name, valueOf(schemas[name]!, texts[index]!)] as const);
  const wrong = parts.filter(([, value]) => value === undefined);
  const issues = wrong.map(([name]) => ({ path: `key.${name}`, message: 'is not a whole number, such as 7 or -7' }));
  if (issues.length > 0) return { issues };
  return { parts: Object.fromEntries(parts) as AnyKeyParts };
}

/** The parts of a key that is given as text; nothing where keys of the type are one text, or this is not a key of the type. */
export function partsOf(entity: AnyEntity, key: string): AnyKeyParts | undefined {
  const schemas = keySchemas(entity);
  const split = schemas && splitKey(schemas, key);
  return split && 'parts' in split ? split.parts : undefined;
}

/** Finds what is wrong with a key of a type, however it is given. */
export function keyIssues(entity: AnyEntity, given: unknown): Issues {
  const schemas = keySchemas(entity);
  if (typeof given !== 'string') return partsIssues(entity, given);
  const issues = unaddressable(given);
  if (issues.length > 0) return issues;
  if (!schemas) return schemaIssues(entity, given);
  const split = splitKey(schemas, given);
  return 'issues' in split ? split.issues : partsIssues(entity, split.parts);
}

type Issues = readonly KeyIssue[];

function unaddressable(key: string): Issues {
  const message = unaddressableKey(key);
  return message === undefined ? [] : [{ path: 'key', message }];
}

function partsIssues(entity: AnyEntity, given: unknown): Issues {
  const schemas = keySchemas(entity);
  if (!schemas) return [{ path: 'key', message: 'is one text, and has no parts' }];
  const names = Object.keys(schemas);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [{ path: 'key', message: `is neither a text nor an object with ${names.join(', ')}` }];
  }
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return unknown.map((name) => ({
      path: `key.${name}`,
      message: `is not a part of it: the parts are ${names.join(', ')}`,
    }));
  }
  const unusable = Object.entries(given).flatMap(([name, part]) => {
    const problem = part === '' ? 'is empty' : typeof part === 'string' ? unaddressableKey(part) : undefined;
    return problem === undefined ? [] : [{ path: `key.${name}`, message: problem }];
  });
  return unusable.length > 0 ? unusable : schemaIssues(entity, given);
}

/** An error that a schema itself throws is an issue like any other: it must never block the workflow. */
function schemaIssues({ key }: AnyEntity, given: unknown): Issues {
  try {
    const { error } = key.safeParse(given);
    return (error?.issues ?? []).map(({ path, message }) => ({
      path: ['key', ...path.map(String)].join('.'),
      message,
    }));
  } catch (thrown) {
    return [{ path: 'key', message: `the schema has thrown: ${namedMessageOf(thrown)}` }];
  }
}

/** The value of a text; nothing where this is not the one text of that value. */
function valueOf(schema: KeyPart, text: string): string | number | undefined {
  if (schema._zod.def.type !== 'number') return text;
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : undefined;
}

/** Tells what is wrong with a key, in one line for people: each part by its name. */
export function describeKeyIssues(issues: Issues): string {
  return issues.map(({ path, message }) => (path === 'key' ? message : `${path.slice(4)}: ${message}`)).join('; ');
}

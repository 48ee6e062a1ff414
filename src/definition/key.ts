import type { z } from 'zod';
import { Defect } from './action-errors.js';
import type { AnyEntity } from './entity.js';
import { joinTexts, splitText, unaddressableKey } from './key-text.js';

/** A part of a key: a text, or a whole number. */
export type KeyPart = z.ZodType<string | number>;
/** The named parts of a key, in their order. */
export type KeyPartsSchema = z.ZodObject<Readonly<Record<string, KeyPart>>>;
/** How the key of a type is declared: as one text, or as several named parts. S1.1 */
export type KeySchema = z.ZodType<string> | KeyPartsSchema;

/** The parts of a key by their names, for code that treats all types alike. */
export type AnyKeyParts = Readonly<Record<string, string | number>>;

type PartsSchemaOf<E extends AnyEntity> = Extract<E['key'], KeyPartsSchema>;
/** The parts of a type's keys by their names; `undefined` where a key is one text. */
export type KeyPartsOf<E extends AnyEntity> = [PartsSchemaOf<E>] extends [never]
  ? undefined
  : Readonly<z.output<PartsSchemaOf<E>>>;
/** A key as it can be given: as text, or by its parts where the type declares parts. */
export type KeyOf<E extends AnyEntity> = string | Exclude<KeyPartsOf<E>, undefined>;

/** What is wrong with a key, or with one of its parts: `key.name`. */
export interface KeyIssue {
  readonly path: string;
  readonly message: string;
}

/** The declared parts of a type's keys; nothing where a key is one text. */
export function keySchemas({ key }: AnyEntity): Readonly<Record<string, KeyPart>> | undefined {
  return 'shape' in key ? key.shape : undefined;
}

/** The text of a key that is given as text or by its parts, or what is wrong with the parts. */
export function joinKey(entity: AnyEntity, given: unknown): { readonly key: string } | { readonly issues: Issues } {
  if (typeof given === 'string') return { key: given };
  const issues = partsIssues(entity, given);
  if (issues.length > 0) return { issues };
  const names = Object.keys(keySchemas(entity) ?? {});
  return { key: joinTexts(names.map((name) => String((given as AnyKeyParts)[name]))) };
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
  const issues = wrong.map(([name]) => ({ path: `key.${name}`, message: 'is no whole number, such as 7 or -7' }));
  if (issues.length > 0) return { issues };
  return { parts: Object.fromEntries(parts) as AnyKeyParts };
}

/** What is wrong with a key of a type, however it is given. */
export function keyIssues(entity: AnyEntity, given: unknown): Issues {
  const schemas = keySchemas(entity);
  if (typeof given !== 'string') return partsIssues(entity, given);
  if (!schemas) {
    const unaddressable = unaddressableKey(given);
    return unaddressable === undefined ? schemaIssues(entity, given) : [{ path: 'key', message: unaddressable }];
  }
  const split = splitKey(schemas, given);
  return 'issues' in split ? split.issues : partsIssues(entity, split.parts);
}

type Issues = readonly KeyIssue[];

function partsIssues(entity: AnyEntity, given: unknown): Issues {
  const schemas = keySchemas(entity);
  if (!schemas) return [{ path: 'key', message: 'is one text, and has no parts' }];
  const names = Object.keys(schemas);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [{ path: 'key', message: `is neither a text nor an object with ${names.join(', ')}` }];
  }
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return unknown.map((name) => ({ path: `key.${name}`, message: `is no part of it: these are ${names.join(', ')}` }));
  }
  const unusable = Object.entries(given).flatMap(([name, part]) => {
    const problem = part === '' ? 'is empty' : typeof part === 'string' ? unaddressableKey(part) : undefined;
    return problem === undefined ? [] : [{ path: `key.${name}`, message: problem }];
  });
  return unusable.length > 0 ? unusable : schemaIssues(entity, given);
}

/** What a schema itself throws is an issue like any other: it must never block the workflow. */
function schemaIssues({ key }: AnyEntity, given: unknown): Issues {
  try {
    const { error } = key.safeParse(given);
    return (error?.issues ?? []).map(({ path, message }) => ({ path: ['key', ...path.map(String)].join('.'), message }));
  } catch (thrown) {
    return [{ path: 'key', message: `the schema has thrown: ${String(thrown)}` }];
  }
}

/** Nothing where the text is not the only one of a value. */
function valueOf(schema: KeyPart, text: string): string | number | undefined {
  if (schema._zod.def.type !== 'number') return text;
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : undefined;
}

/** What is wrong with a key, in one line for people: each part by its name. */
export function describeKeyIssues(issues: Issues): string {
  return issues.map(({ path, message }) => (path === 'key' ? message : `${path.slice(4)}: ${message}`)).join('; ');
}

/**
 * The text of a key, as links, workflow ids and rows have it: `keyOf(Database, { server: 'demo', name: 'sales' })` is
 * `'demo,sales'`.
 * @throws Defect `invalid_key` for parts that are none of the type's
 */
export function keyOf<E extends AnyEntity>(entity: E, key: KeyOf<E>): string {
  const joined = joinKey(entity, key);
  if ('key' in joined) return joined.key;
  throw new Defect('invalid_key', `This is not a key of ${entity.name}: ${describeKeyIssues(joined.issues)}.`);
}

/**
 * The parts of a key that is given as text; `undefined` where a key of the type is one text.
 * @throws Defect `invalid_key` for a text that is no key of the type
 */
export function keyPartsOf<E extends AnyEntity>(entity: E, key: string): KeyPartsOf<E> {
  const schemas = keySchemas(entity);
  if (!schemas) return undefined as KeyPartsOf<E>;
  const split = splitKey(schemas, key);
  if ('parts' in split) return split.parts as KeyPartsOf<E>;
  throw new Defect('invalid_key', `'${key}' is not a key of ${entity.name}: ${describeKeyIssues(split.issues)}.`);
}

/** An entity by its type and the text of its key, as reads take it. @throws Defect `invalid_key`, as of `keyOf` */
export function refTo<E extends AnyEntity>(
  entity: E,
  key: KeyOf<E>,
): { readonly type: E['name']; readonly key: string } {
  return { type: entity.name, key: keyOf(entity, key) };
}

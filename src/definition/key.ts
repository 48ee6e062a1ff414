import { Defect } from './action-errors.js';
import type { AnyEntity } from './entity.js';
import { describeKeyIssues, joinKey, splitKey } from './key-check.js';
import { keySchemas, type KeyOf, type KeyPartsOf } from './key-schema.js';

/**
 * The text of a key, as links, workflow ids and rows have it: `keyOf(Database, { server: 'demo', name: 'sales' })` is
 * `'demo,sales'`.
 * @throws Defect `invalid_key` for parts that are not those of a key of the type, and for a text that is no key of any type
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

/*
 * Hides secrets in values that come from histories, for everybody. S5.1, S6.5
 *
 * mask.1. Hidden is: what a schema marks as `writeOnly` or `format: 'password'`, properties that a declaration calls secret, members whose
 *     names are those of credentials, and credentials by their form.
 * mask.2. The text of a hidden member is hidden wherever else the same event has it, under whatever name.
 * mask.3. It errs on the side of hiding: a name counts at any depth, and in any type.
 */
import { withoutCredentials } from '../../definition/credentials.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { JsonSchema } from '../declared-schema.js';

export const HIDDEN = '***';

const SECRET_NAME =
  /pass(?:word|wd|phrase)|pwd|secret|token|credential|(?:api|access|account|private|shared)[_-]?key|authorization|cookie|signature|^(?:pass|jwt|sas|pin|otp)$/i;
/** A shorter text says nothing, and would hide parts of other texts. */
const SHORTEST_KNOWN = 4;
/** The rest of a longer text is never shown. */
const LONGEST_TEXT = 100_000;
/** Deeper values are hidden. */
const DEEPEST = 100;

export class Mask {
  readonly #names: ReadonlySet<string>;
  /** mask.2 */
  readonly #known = new Set<string>();

  constructor(entities: readonly AnyEntity[]) {
    this.#names = new Set(entities.flatMap(({ secret }) => secret).map((name) => name.toLowerCase()));
  }

  /** Notes what is hidden in a value, so that it is hidden in all values. mask.2 */
  note(value: unknown, schemas: readonly JsonSchema[]): void {
    this.#walk(value, roots(schemas), '', (hidden) => {
      for (const text of textsIn(hidden)) if (text.length >= SHORTEST_KNOWN) this.#known.add(text);
    });
  }

  /** The value without what is hidden, and the paths of that. */
  apply(
    value: unknown,
    schemas: readonly JsonSchema[],
  ): { readonly value: unknown; readonly masked: readonly string[] } {
    const masked: string[] = [];
    const shown = this.#walk(value, roots(schemas), '', (_, path) => masked.push(path || 'value'));
    return { value: shown, masked };
  }

  #walk(
    value: unknown,
    at: readonly Placed[],
    path: string,
    hide: (hidden: unknown, path: string) => void,
    depth = 0,
  ): unknown {
    const places = flattened(at);
    if (value !== null && value !== undefined && (depth > DEEPEST || places.some(isSecret))) {
      hide(value, path);
      return HIDDEN;
    }
    if (typeof value === 'string') return this.#text(value, path, hide);
    if (Array.isArray(value))
      return value.map((each, index) => this.#walk(each, itemsOf(places, index), `${path}[${index}]`, hide, depth + 1));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => {
      const below = path === '' ? name : `${path}.${name}`;
      if (each !== null && each !== undefined && this.#isSecretName(name)) {
        hide(each, below);
        return [name, HIDDEN] as const;
      }
      return [this.#name(name), this.#walk(each, membersOf(places, name), below, hide, depth + 1)] as const;
    });
    return Object.fromEntries(members);
  }

  #isSecretName(name: string): boolean {
    return SECRET_NAME.test(name) || this.#names.has(name.toLowerCase());
  }

  #text(text: string, path: string, hide: (hidden: unknown, path: string) => void): string {
    const shown = this.#withoutKnown(withoutCredentials(text.slice(0, LONGEST_TEXT)));
    if (!text.startsWith(shown)) hide('', path);
    return shown;
  }

  /** Names of members can be values, as in a map from keys. */
  #name(name: string): string {
    return this.#withoutKnown(withoutCredentials(name));
  }

  #withoutKnown(text: string): string {
    let shown = text;
    for (const known of this.#known) shown = shown.replaceAll(known, HIDDEN);
    return shown;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A schema, and the document in which its references are. */
interface Placed {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

function roots(schemas: readonly JsonSchema[]): readonly Placed[] {
  return schemas.map((schema) => ({ schema, root: schema }));
}

function isSecret({ schema }: Placed): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password';
}

/** The schemas with all of their alternatives, and those to which they refer. */
function flattened(places: readonly Placed[]): readonly Placed[] {
  const all = new Map<JsonSchema, Placed>();
  const add = ({ schema, root }: Placed) => {
    if (all.has(schema)) return;
    all.set(schema, { schema, root });
    for (const kind of ['anyOf', 'oneOf', 'allOf'])
      for (const each of listOf(schema[kind])) if (isSchema(each)) add({ schema: each, root });
    const target = referred(schema['$ref'], root);
    if (target) add({ schema: target, root });
  };
  for (const place of places) add(place);
  return [...all.values()];
}

function referred(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isSchema(found) ? found : undefined;
}

function membersOf(places: readonly Placed[], name: string): readonly Placed[] {
  return below(places, (schema) => {
    const { properties, additionalProperties } = schema;
    return [isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties];
  });
}

function itemsOf(places: readonly Placed[], index: number): readonly Placed[] {
  return below(places, ({ items, prefixItems }) => [listOf(prefixItems)[index] ?? items]);
}

function below(places: readonly Placed[], parts: (schema: JsonSchema) => readonly unknown[]): readonly Placed[] {
  return places.flatMap(({ schema, root }) =>
    parts(schema)
      .filter(isSchema)
      .map((each) => ({ schema: each, root })),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

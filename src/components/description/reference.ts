import type { Concatenation, Reference, Value } from '../../definition/component-description.js';

export type { Concatenation, Reference } from '../../definition/component-description.js';

/**
 * A reference. `../` leads to the parent (PARENT of the source). The first name after that is looked for there, and then further
 * out, up to the root (ATTRIB); what follows leads down. `ref('../url')`, `ref('../create/output/port')`. A leading `/` names a
 * component from anywhere: `ref('/deployment/shop/h1')`.
 */
export function ref(path: string): Reference {
  return { $ref: path };
}

/** A text of pieces: `concat('copied from ', ref('../url'))`. */
export function concat(...pieces: readonly Value[]): Concatenation & { readonly [name: string]: Value } {
  return { $concat: pieces };
}

/** A reference whose first name is that of the component itself to which `../` leads: it is not looked for further out. */
export function strictRef(path: string): Reference {
  return { $ref: `!${path}` };
}

/** A reference from the root of the tree on: `rootRef('url')`. */
export function rootRef(path: string): Reference {
  return { $ref: `~/${path}` };
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && typeof (value as Reference).$ref === 'string';
}

export function isConcatenation(value: unknown): value is Concatenation {
  return typeof value === 'object' && value !== null && Array.isArray((value as Concatenation).$concat);
}

/** A reference in its parts. */
export interface Route {
  /** Is true if it begins at the root of all deployments. */
  readonly absolute: boolean;
  /** Is true if the first name is looked for at one component only. */
  readonly strict: boolean;
  /** Is true if it begins at the root of its tree. */
  readonly fromRoot: boolean;
  /** How many parents it goes up before it looks for the first name. */
  readonly up: number;
  readonly names: readonly string[];
}

/** The parts of a reference, or `undefined` when it is none: `..` after a name, or an empty name. */
export function routeOf(given: string): Route | undefined {
  const fromRoot = given.startsWith('~/');
  const strict = fromRoot || given.startsWith('!');
  const path = given.slice(fromRoot ? 2 : strict ? 1 : 0);
  const absolute = path.startsWith('/');
  const parts = (absolute ? path.slice(1) : path).split('/').filter((part) => part !== '.');
  const first = parts.findIndex((part) => part !== '..');
  const up = first < 0 ? parts.length : first;
  const names = parts.slice(up);
  if (names.some((name) => name === '' || name === '..') || (absolute && (strict || up > 0 || names.length < 2)))
    return undefined;
  if (fromRoot && (up > 0 || names.length === 0)) return undefined;
  return { absolute, strict, fromRoot, up, names };
}

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

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && typeof (value as Reference).$ref === 'string';
}

export function isConcatenation(value: unknown): value is Concatenation {
  return typeof value === 'object' && value !== null && Array.isArray((value as Concatenation).$concat);
}

/** A reference in its parts. */
export interface Route {
  /** Whether it begins at the root of all deployments. */
  readonly absolute: boolean;
  /** How many parents it goes up before it looks for the first name. */
  readonly up: number;
  readonly names: readonly string[];
}

/** The parts of a reference, or `undefined` when it is none: `..` after a name, or an empty name. */
export function routeOf(path: string): Route | undefined {
  const absolute = path.startsWith('/');
  const parts = (absolute ? path.slice(1) : path).split('/').filter((part) => part !== '.');
  const first = parts.findIndex((part) => part !== '..');
  const up = first < 0 ? parts.length : first;
  const names = parts.slice(up);
  if (names.some((name) => name === '' || name === '..') || (absolute && (up > 0 || names.length < 2)))
    return undefined;
  return { absolute, up, names };
}

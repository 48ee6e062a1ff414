import type { Description, Value } from '../../definition/component-description.js';

export type { Description, Json, Value } from '../../definition/component-description.js';

/** The children as they are written: `sequence({ copy: ..., remove: ... })`. */
export type Children = Readonly<Record<string, Description>>;

/** JavaScript moves names that look like whole numbers to the front, whatever the order in which they are written. */
const NAME = /^[A-Za-z_$][\w$-]*$/;

/** Tells what is wrong with the name of a child or an attribute, and what to write, or `undefined`. */
export function wrongName(name: string): { readonly problem: string; readonly remedy: string } | undefined {
  if (NAME.test(name)) return undefined;
  if (/^\d+$/.test(name)) {
    const problem = `'${name}' is a number: JavaScript moves it to the front, whatever the order`;
    return { problem, remedy: `Write a letter first, as in 'n${name}'.` };
  }
  const remedy = "Begin with a letter, and write letters, digits, '_' and '-'.";
  return { problem: `'${name}' cannot be part of a path`, remedy };
}

/** A description of a component of any kind. What is wrong with it, its check tells, all at once. */
export function describe(
  kind: string,
  attributes: Readonly<Record<string, Value | undefined>>,
  children: Children = {},
): Description {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined) as [string, Value][];
  return { kind, attributes: Object.fromEntries(given), children: Object.entries(children) };
}

export function isDescription(value: unknown): value is Description {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, attributes, children } = value as Record<string, unknown>;
  return typeof kind === 'string' && typeof attributes === 'object' && attributes !== null && Array.isArray(children);
}

/**
 * Describes what one description changes in another one: its own attributes and children count, in the place of those that they replace.
 */
export interface Changes {
  readonly attributes?: Readonly<Record<string, Value>>;
  readonly children?: Children;
}

/** The description with other attributes and with more or other children: `Node.with({ children: { failure: fail() } })`. */
export function extend(description: Description, { attributes = {}, children = {} }: Changes): Description {
  const { kind } = description;
  const merged = { ...Object.fromEntries(description.children), ...children };
  return describe(kind, { ...description.attributes, ...attributes }, merged);
}

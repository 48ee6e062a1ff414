import type { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import { describeIssues, issuesOf } from './schema-problems.js';

/** Plain JSON that nobody changes. */
export type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;

/** The type that a schema describes, read-only. */
export type Described<Schema extends z.ZodType> = Plain<z.infer<Schema>>;

/**
 * A function that says what is wrong with a value, or `undefined`. Values have to be checked, since anyone with access to
 * Temporal can send a signal or an update.
 */
export function checker(schema: z.ZodType): (value: unknown) => string | undefined {
  makeShareable(schema);
  return (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return undefined;
    return describeIssues(issuesOf(parsed.error).map(({ path, message }) => ({ path: path || 'value', message })));
  };
}

import type { z } from 'zod';
import { issuesOf, type SchemaIssue } from '../../protocol/schema-problems.js';
import { namedMessageOf } from '../../definition/thrown.js';

export type Checked<T> =
  { readonly valid: true; readonly value: T } | { readonly valid: false; readonly issues: readonly SchemaIssue[] };

/**
 * Checks a value against a declared schema. What the schema itself throws (a mistake in a refinement, one that is
 * asynchronous) is an issue like any other: it must never block the workflow.
 * @param place above the paths of the issues: `properties`
 */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, place?: string): Checked<z.output<S>> {
  const above = place === undefined ? [] : [place];
  try {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { valid: true, value: parsed.data };
    return { valid: false, issues: issuesOf(parsed.error, above) };
  } catch (thrown) {
    return {
      valid: false,
      issues: [{ path: above.join('.'), message: `the schema has thrown: ${namedMessageOf(thrown)}` }],
    };
  }
}

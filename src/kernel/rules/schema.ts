import type { z } from 'zod';

/** What is wrong with a value: `properties.port`. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

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
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: [...above, ...path.map(String)].join('.'),
      message,
    }));
    return { valid: false, issues };
  } catch (thrown) {
    return { valid: false, issues: [{ path: above.join('.'), message: `the schema has thrown: ${String(thrown)}` }] };
  }
}

/** Issues in one line for people. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
}

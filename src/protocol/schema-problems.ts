import type { z } from 'zod';

/** What is wrong with a value: `properties.port`. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** What a schema has found wrong. @param above the path of the value: `properties` */
export function issuesOf({ issues }: z.core.$ZodError, above: readonly string[] = []): readonly SchemaIssue[] {
  return issues.map(({ path, message }) => ({ path: [...above, ...path.map(String)].join('.'), message }));
}

/** Issues in one line for people: `place: Invalid input: expected number, received string`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
}

/** What a schema has found wrong, in one line for people. */
export function schemaProblems(error: z.core.$ZodError): string {
  return describeIssues(issuesOf(error));
}

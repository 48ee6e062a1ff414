import type { z } from 'zod';

/** What is wrong with a value: `properties.port`. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** What a schema has found wrong. @param above the path of the value: `properties` */
export function issuesOf({ issues }: z.core.$ZodError, above: readonly string[] = []): readonly SchemaIssue[] {
  return issues
    .flatMap(explained)
    .map(({ path, message }) => ({ path: [...above, ...path.map(String)].join('.'), message }));
}

type Explained = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** What zod says of a union of which no form fits. It does not say why. */
const NO_FORM_FITS = 'Invalid input';

/** Says of a union what is wrong with the form that comes nearest, or with each one where several come as near. */
function explained(issue: z.core.$ZodIssue): readonly Explained[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== NO_FORM_FITS) return [issue];
  const { path, errors } = issue;
  const forms = errors.map((found) => found.flatMap(explained));
  const fewest = Math.min(...forms.map(({ length }) => length));
  const nearest = forms.filter(({ length }) => length === fewest);
  if (nearest.length === 1) return nearest[0]!.map((found) => ({ ...found, path: [...path, ...found.path] }));
  const said = nearest.map((form) =>
    describeIssues(form.map(({ path: at, message }) => ({ path: at.map(String).join('.'), message }))),
  );
  return [{ path, message: [...new Set(said)].join(', or ') }];
}

/** Issues in one line for people: `place: Invalid input: expected number, received string`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
}

/** What a schema has found wrong, in one line for people. */
export function schemaProblems(error: z.core.$ZodError): string {
  return describeIssues(issuesOf(error));
}

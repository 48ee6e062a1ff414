import type { z } from 'zod';
import { LONGEST_MESSAGE } from '../definition/limits.js';
import { cut } from '../definition/thrown.js';

/** How many problems of one value are told: a list of thousands can be wrong in each of its members. S1.5a */
const MOST_ISSUES = 50;
/** How much of a problem is told, in characters: it can name what was given. */
const LONGEST_ISSUE = 500;

/** Something that is wrong with a value: `properties.port`. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** Lists what a schema has found wrong. @param above the path of the value: `properties` */
export function issuesOf({ issues }: z.core.$ZodError, above: readonly string[] = []): readonly SchemaIssue[] {
  const told = issues
    .slice(0, MOST_ISSUES)
    .flatMap(explained)
    .map(({ path, message }) => ({
      path: cut([...above, ...path.map(String)].join('.'), LONGEST_ISSUE),
      message: cut(message, LONGEST_ISSUE),
    }));
  const untold = issues.length - MOST_ISSUES;
  return untold > 0 ? [...told, { path: above.join('.'), message: `and ${untold} more problems` }] : told;
}

type Explained = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** The message of zod for a union of which no form fits. It does not say why. */
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
  return cut(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '), LONGEST_MESSAGE);
}

/** Tells what a schema has found wrong, in one line for people. */
export function schemaProblems(error: z.core.$ZodError): string {
  return describeIssues(issuesOf(error));
}

import type { DeclarationProblem } from '../declaration-error.js';
import { parseDuration, type Duration } from '../duration.js';

/** A problem where a value is given that is not a duration. */
export function durationProblems(place: string, value: Duration | undefined): readonly DeclarationProblem[] {
  if (value === undefined || parseDuration(value) !== undefined) return [];
  return [
    { place, problem: `'${String(value)}' is not a duration`, remedy: `Write milliseconds, or '30s', '5m', '2h'.` },
  ];
}

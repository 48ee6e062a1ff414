import { isRecord } from './api/json-value.js';

/*
 * One vocabulary for the JSON of all commands, wherever it comes from: the store has microseconds and no outcome of what runs,
 * and explanations count milliseconds. docs/command-line.md lists it.
 */

/** Members that belong to the declarations of a project. Nothing in them is changed. */
const OF_THE_PROJECT = new Set(['properties', 'links', 'subordinates', 'parameters', 'construct', 'input', 'output']);
const TIME = /^(at|since|until)$|_time$|_since$|[a-z]At$/;
/** Milliseconds since 1970 are larger than this since 1973, and no duration is. */
const LEAST_TIME = 1e11;
const MICROSECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{1,6}Z$/;

/** A document in the one vocabulary: times in ISO 8601, in UTC, to the millisecond; `running` as an outcome. S6.3 */
export function inVocabulary(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(inVocabulary);
  if (!isRecord(document)) return document;
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => {
      if (OF_THE_PROJECT.has(name)) return [name, value];
      if (TIME.test(name)) return [name, timeOf(value)];
      if (name === 'outcome' && value === null) return [name, 'running'];
      return [name, inVocabulary(value)];
    }),
  );
}

function timeOf(value: unknown): unknown {
  if (typeof value === 'number' && value >= LEAST_TIME) return new Date(value).toISOString();
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value.replace(MICROSECONDS, '$1Z') : inVocabulary(value);
}

import { entityId } from '../protocol/names.js';
import { isRecord } from './api/json-value.js';

/*
 * One vocabulary for the JSON of all commands, wherever it comes from: the store has no outcome of what runs, explanations count
 * milliseconds, and each list names entities by columns of its own. docs/operate/command-line.md lists the words.
 */

/** Members that belong to the declarations of a project. Nothing in them is changed. */
const OF_THE_PROJECT: ReadonlySet<string> = new Set([
  ...['properties', 'links', 'subordinates', 'parameters', 'construct', 'input', 'output', 'attributes'],
]);
const TIME = /^(at|time|since|until|due|again|endsBy|created|expires|destroyed)$|_time$|_since$|[a-z]At$/;
/** Milliseconds since 1970 are larger than this since 1973, and no duration is. */
const LEAST_TIME = 1e11;
const MICROSECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{1,6}Z$/;

/** The outcomes that operations and operations over partitions have by different words. */
export const OUTCOMES: Readonly<Record<string, string>> = { succeeded: 'success', cancelled: 'canceled' };
/** The members by which documents name an entity: its type and its key. */
export const ENTITY_NAMES = [
  ['type', 'key'],
  ['entity_type', 'entity_key'],
  ['state_machine_type', 'keys'],
] as const;

/**
 * A document in the one vocabulary: times in ISO 8601, in UTC, to the millisecond; `running` as an outcome; an entity as
 * `LogicalServer/orders`. S6.3
 */
export function inVocabulary(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(inVocabulary);
  if (document instanceof Date) return document.toISOString();
  if (!isRecord(document)) return document;
  const members = Object.entries(document).map(([name, value]) => {
    if (isOfTheProject(name)) return [name, value];
    if (isTime(name)) return [name, timeOf(value)];
    if (name === 'outcome' || name === '@reeve.instance_outcome') return [name, outcomeOf(value)];
    return [name, inVocabulary(value)];
  });
  const entity = 'entity' in document ? undefined : entityIn(document);
  return Object.fromEntries(entity === undefined ? members : [['entity', entity], ...members]);
}

/** Tells whether a member of this name holds what a project declares. */
export function isOfTheProject(name: string): boolean {
  return OF_THE_PROJECT.has(name);
}

/** Tells whether a member of this name holds a time. */
export function isTime(name: string): boolean {
  return TIME.test(name);
}

function timeOf(value: unknown): unknown {
  if (typeof value === 'number' && value >= LEAST_TIME) return new Date(value).toISOString();
  return typeof value === 'string' ? value.replace(MICROSECONDS, '$1Z') : inVocabulary(value);
}

function outcomeOf(value: unknown): unknown {
  if (value === null) return 'running';
  return typeof value === 'string' ? (OUTCOMES[value] ?? value) : inVocabulary(value);
}

/** The entity that a row or representation is about. */
function entityIn(document: Readonly<Record<string, unknown>>): string | undefined {
  const { kind, name } = document;
  if (kind === 'entity' && typeof name === 'string') return name;
  for (const [ofType, ofKey] of ENTITY_NAMES) {
    const [type, key] = [document[ofType], document[ofKey]];
    // Schemas and ends have a `type` too. That of an entity begins with a capital letter.
    if (typeof type === 'string' && typeof key === 'string' && /^[A-Z]/.test(type)) return entityId({ type, key });
  }
  return undefined;
}

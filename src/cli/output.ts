import { isRecord } from './api/json-value.js';
import type { StuckOne } from '../client/explain/explanation.js';
import type { LastTask } from '../client/explain/last-task.js';
import type { AllowedEvent, EntityReading, EntityRepresentation } from './api/entity.js';
import type { OperationRepresentation } from './api/operation.js';
import { errorEntry } from '../protocol/error-codes/index.js';
import { issuesOf, type Issue, type Problem } from './api/problem.js';
import { colours as pc, errorColours } from './colours.js';
import { errorsOnce } from './errors-once.js';
import { runnerWords } from './explanation/service-words.js';
import { stuckOnesLines } from './explanation/stuck-words.js';
import type { EntityAsOf } from '../service/routes/entity-version.js';
import { formatFullTime } from './list/time.js';
import { describeState } from './state-words.js';

const NOT_PUBLIC = 'not_public';

/** All that is shown of an entity beside its own data. */
interface TellsMore {
  /** The events; nothing where it is not known which are valid. */
  readonly events: readonly AllowedEvent[] | undefined;
  /** All that is stuck, of the entity and of what it waits for. */
  readonly stuck: readonly StuckOne[];
  /** Which worker has run it last, where that is known. */
  readonly lastTask?: LastTask | undefined;
}

/** An entity for people. */
export function formatEntity({ entity, gone }: EntityReading, { events, stuck, lastTask }: TellsMore): string {
  const {
    '@reeve.execution': link,
    id,
    version,
    operation,
    reserved_by: reserved,
    successors,
    stale,
    reported_time: said,
    last_failure: failure,
  } = entity;
  return [
    `${pc.bold(id)}  ${describeState(entity, pc)}${gone ? pc.dim('  gone') : ''}`,
    ...stuckOnesLines(stuck, Date.now()),
    '',
    ...(stale ? [row('as of', pc.yellow(`${time(said)}, from the store: no worker answers`))] : []),
    row('version', String(version)),
    row('settled', settledWords(entity, stuck)),
    ...(operation === null ? [] : [row('operation', operation)]),
    ...(failure
      ? [
          row('last failure', pc.yellow(`${failure.code}: ${failure.message}`)),
          row('', `at ${time(failure.time)}, in operation ${failure.operation}`),
        ]
      : []),
    ...(reserved ? [row('reserved by', `${reserved.entity} until ${time(reserved.until)} at most`)] : []),
    ...(lastTask
      ? [row('last run by', runnerWords(lastTask)), row('', `at ${time(new Date(lastTask.at).toISOString())}`)]
      : []),
    ...(link === undefined ? [] : [row('in Temporal', link)]),
    ...contentsSections(entity),
    ...section(
      'successors',
      successors.map(({ entity: name, event, state, rejected }) => [
        name,
        rejected === null ? (state ?? event) : `rejected: ${rejected}`,
      ]),
    ),
    ...section('events', [
      ...(events ?? []).filter(({ allowed }) => allowed).map(formatEvent),
      // Nobody can ever raise an internal one.
      ...(events ?? []).filter(({ allowed, rejection }) => !allowed && rejection?.code !== NOT_PUBLIC).map(formatEvent),
    ]),
  ].join('\n');
}

/** Shows what an entity holds, or held. */
function contentsSections({ properties, links, subordinates }: Contents): readonly string[] {
  return [
    ...section('properties', entriesOf(properties)),
    ...section('links', entriesOf(links)),
    ...section(
      'subordinates',
      Object.entries(isRecord(subordinates) ? subordinates : {}).flatMap(([name, members]) =>
        entriesOf(members).map(([key, member]): [string, string] => [`${name}/${key}`, member]),
      ),
    ),
  ];
}

type Contents = Readonly<Record<'properties' | 'links' | 'subordinates', unknown>>;

/** An entity as it was at a version, for people. */
export function formatAsOf(was: EntityAsOf): string {
  const { type, key, version, state, health, time: since, until_time: until, event, operation, left_out: left } = was;
  return [
    `${pc.bold(`${type}/${key}`)}  ${health === 'error' ? pc.red(state) : state}${pc.dim('  as it was')}`,
    '',
    row('version', String(version)),
    row('since', time(since)),
    row('until', until === null ? 'now' : time(until)),
    row('by', `${event ?? '?'}, in operation ${operation}`),
    ...contentsSections(was),
    ...section(
      'too large to be kept with each version',
      left.map((name) => [name, '']),
    ),
  ].join('\n');
}

/** An entity that is stuck, or waits for one that is, does not settle by itself. */
function settledWords({ settled, stuck_since: since }: EntityRepresentation, stuck: readonly StuckOne[]): string {
  if (since !== null || (!settled && stuck.length > 0)) return pc.red('no, stuck');
  return settled ? 'yes' : 'no, in progress';
}

function formatEvent({ event, allowed, behind, rejection }: AllowedEvent): readonly [string, string] {
  const answer = allowed ? pc.green('valid') : pc.dim(rejection?.code ?? 'not valid');
  return [event, behind === undefined ? answer : `${answer}${pc.dim(`, waits behind ${behind}`)}`];
}

/** How an operation ended, for people. `name` is for an operation that was over at once and so has no name of its own. */
export function formatOutcome(operation: OperationRepresentation, name: string): string {
  const {
    '@reeve.execution': link,
    outcome,
    workflow_start_time: started,
    workflow_end_time: ended,
    errors,
    rejection,
    participants,
    cancel,
    cancel_refusals: refusals,
  } = operation;
  const said = cancel === 'refused' ? `${outcome}, cancel refused` : outcome;
  const word = outcome === 'success' ? pc.green(said) : pc.red(said);
  const over = started !== null && ended !== null;
  const after = over ? ` after ${((Date.parse(ended) - Date.parse(started)) / 1000).toFixed(1)} s` : '';
  const [only] = participants;
  return [
    `${pc.bold(operation.name ?? name)}: ${word}${after}${!over && only ? `, ${only.state}` : ''}`,
    ...errorsOnce(errors, pc.red).map((line) => `  ${line}`),
    ...(errors.some(({ code }) => code === 'defect')
      ? [`  where it was thrown: reeve operations show ${operation.request_id}`]
      : []),
    ...(rejection ? [`  ${pc.red(rejection.code)}: ${rejection.message}`] : []),
    ...errorsOnce(refusals ?? [], pc.yellow).map((line) => `  ${line}`),
    ...(cancel === 'refused'
      ? [`  it continues; 'reeve operations explain ${operation.request_id}' shows what it waits for`]
      : []),
    ...(link === undefined ? [] : [pc.dim(`  ${link}`)]),
  ].join('\n');
}

/** Why something was not done, for people. */
export function formatProblem(problem: Problem): string {
  const { code, message, details } = problem;
  const all = issuesOf(problem);
  const issues = all.filter((issue) => !message.includes(issue.message));
  const { operation, repeat } = details;
  return [
    `${errorColours.red(code)}: ${message}`,
    ...issues.map(({ path, message: said }) => `  ${path || '(all)'}: ${said}`),
    ...optionLines(all),
    ...(typeof operation === 'string' ? [`  running operation: ${operation}`] : []),
    ...(typeof repeat === 'string' ? [`  ${repeat}`] : hintLines(code)),
  ].join('\n');
}

/** The remedy of an error whose message does not say it. */
export function hintLines(code: string): readonly string[] {
  const hint = errorEntry(code)?.hint;
  return hint === undefined ? [] : [`  ${hint}`];
}

/** The options of the command that give what is lacking. `reeve types --json` has what each takes. */
const GIVEN_BY = {
  construct: 'Properties and links are given with --construct',
  parameters: 'Parameters are given with --params',
};

/** Which option gives the values with the mistakes. */
function optionLines(issues: readonly Issue[]): readonly string[] {
  const lacking = Object.entries(GIVEN_BY).filter(([place]) =>
    issues.some(({ path }) => path === place || path.startsWith(`${place}.`)),
  );
  return lacking.map(([, given]) => `  ${given}, as JSON; 'reeve types --json' lists them.`);
}

function section(title: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(18, ...rows.map(([name]) => name.length));
  return ['', pc.dim(title), ...rows.map(([name, value]) => row(name, value, width))];
}

function row(name: string, value: string, width = 18): string {
  return `  ${name.padEnd(width)} ${value}`;
}

function time(text: string): string {
  return formatFullTime(text, { now: Date.now(), utc: false });
}

function entriesOf(values: unknown): readonly [string, string][] {
  return Object.entries(isRecord(values) ? values : {}).map(([name, value]) => [name, plain(value)]);
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isTexts ? value.join(', ') : JSON.stringify(value);
}

/*
 * Decides what needs a person, from what is known: from the rows of the store, and from what Temporal shows. Pure. S5.3, S5.4
 *
 * concerns.1. Everything that lists concerns reads these: the page, the API, `reeve attention`, `reeve doctor`, `reeve entities
 *     --stuck`, and the metric.
 * concerns.2. A bad end concerns a person until something has changed since, or for a week.
 */
import { continuing, frozenWords } from '../../client/explain/frozen-words.js';
import type { SeenStuck } from '../../client/explain/explanation.js';
import type { UnservedQueue } from '../../client/explain/unserved-queues.js';
import type { Visible } from '../../client/live/visibility.js';
import { stateOf, type BlockedJobs, type InstanceReading } from '../../distributed/index.js';
import { DISTRIBUTED_TYPE, distributedNameOf } from '../../protocol/distributed-names.js';
import {
  DEPLOYMENT_TYPE,
  deploymentWorkflowId,
  entityId,
  operationOf,
  OPERATION_TYPE,
  parseEntityId,
  SEARCH_ATTRIBUTES,
} from '../../protocol/names.js';
import type { EntityNeed } from '../../protocol/records.js';
import type { StoreViews } from '../../store/index.js';
import type { AnyEntity } from '../../definition/entity.js';
import { displayEvent } from '../../definition/display-name.js';
import { possibleEvents } from '../../kernel/index.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { shellWord } from '../../definition/shell-word.js';
import { leadsBack, type BuildStatus } from '../../rollout/index.js';
import { isoTime } from '../operation-representation.js';
import type { Concern } from './attention-schema.js';
import { FIXES, REASONS, type Reason } from './reasons.js';

type Row<V extends keyof StoreViews> = StoreViews[V];

/** A job that has failed so often is reported. */
const FAILS_FROM_ATTEMPT = 3;

interface Given extends Pick<Concern, 'kind' | 'name' | 'message' | 'what_to_do' | 'command'> {
  readonly reason: string;
  readonly of: string;
  readonly operation?: string | null;
  readonly state?: string | null;
  readonly since: string | Date | number | null | undefined;
  readonly error?: Concern['error'] | undefined;
  readonly fix?: Concern['fix'];
}

function concern({ of, since, error, reason, state = null, operation = null, ...given }: Given): Concern {
  const clause = REASONS[reason as Reason] ?? reason;
  return {
    ...{ fix: FIXES[reason as Reason] ?? null, ...given, reason, state, operation },
    cause: `${of}${state === null ? '' : ` in ${state}`}: ${clause}${error ? ` (${error.code})` : ''}`,
    since: timeOf(since),
    error: error ? { code: error.code, message: error.message } : null,
  };
}

/**
 * An entity that says itself that it needs a person.
 * @param cause the error of the operation that led it to an error state
 * @param events those that are valid now
 */
export function entityConcern(
  row: Pick<Row<'entities'>, 'type' | 'key' | 'state' | 'operation' | 'need'>,
  cause?: Concern['error'],
  events: readonly string[] = [],
): Concern {
  const { type, key, state } = row;
  const { since, reason, message, error = cause, operation: ledBy = null } = row.need as EntityNeed;
  const operation = row.operation ?? ledBy;
  const name = entityId({ type, key });
  const valid = `an event that is valid in ${state} ('reeve get ${name}' lists them)`;
  const words: Readonly<Record<string, Help>> = {
    exhausted: [`Fix the cause of its error, then retry the action. Or raise ${valid}.`, 'retry'],
    error_state: helpOf(events),
  };
  const [whatToDo, verb, event] = words[reason] ?? [`Fix its successors, or raise ${valid}.`, 'explain'];
  return concern({
    ...{ kind: 'entity', of: type, name, state, operation, since, reason, message, error },
    what_to_do: whatToDo,
    command: `reeve ${verb} ${shellWord(name)}${event === undefined ? '' : ` ${shellWord(event)}`}`,
  });
}

type Help = readonly [whatToDo: string, verb: string, event?: string];

/** The next step for an entity in an error state, as its explanation tells it. Among several events a person decides: one may delete it. */
function helpOf(events: readonly string[]): Help {
  const [only] = events;
  if (only === undefined) return ['Fix the cause. No event is valid on it now.', 'explain'];
  if (events.length === 1) return [`Fix the cause, then raise ${only}.`, 'raise', only];
  return [`Fix the cause, then raise one of ${events.join(', ')}.`, 'explain'];
}

/**
 * The events, by their names for people, that are valid on an entity by its declaration and its row. Where the row has no contents, those
 * with guards are left out.
 */
export function eventsThatHelp(
  entity: AnyEntity | undefined,
  row: { readonly state: string; readonly properties?: unknown; readonly links?: unknown },
): readonly string[] {
  if (!entity) return [];
  const { state, properties = {}, links = {} } = row;
  const holdings = { properties, links } as Pick<Snapshot, 'properties' | 'links'>;
  return possibleEvents(entity, { state, ...holdings }, true)
    .filter((event) => row.properties !== undefined || entity.events[event]?.when === undefined)
    .map((event) => displayEvent(entity, event));
}

/** An entity in an error state, of which only Temporal can be asked. */
export function shownInError(
  { type, key, state, operation }: Pick<Row<'entities'>, 'type' | 'key' | 'state' | 'operation'>,
  events: readonly string[],
): Concern {
  const need: EntityNeed = { since: 0, reason: 'error_state', message: `it is in the error state ${state}` };
  return { ...entityConcern({ type, key, state, operation, need }, null, events), since: null };
}

/** An answer from outside that an entity awaits. A1 */
export function answerConcern(row: Omit<Row<'pending_callbacks'>, 'id' | 'tenant'>): Concern {
  const { entity_type: type, entity_key: key, call_name: call, event, until_time: until, operation } = row;
  const name = entityId({ type, key });
  const asked = call === null ? `an answer from outside that raises '${event}'` : `the answer to ${call}`;
  return concern({
    ...{ kind: 'entity', name, operation, since: row.since_time, reason: 'answer' },
    of: `${type}, ${call ?? event}`,
    message: `it waits for ${asked}, until ${timeOf(until)?.slice(0, 16).replace('T', ' ')} UTC`,
    what_to_do: 'Answer it, extend its time, or revoke it.',
    command: `reeve callbacks list ${shellWord(name)}`,
  });
}

/** How a request to cancel would be answered, by the entity on which the operation was opened; or that an entity has refused one. */
export type CancelAnswer = 'valid' | 'not_valid' | 'refused';

/** The next steps for an operation that exceeds its budget. S4.7 */
const HUNG: Readonly<Record<CancelAnswer, string>> = {
  valid: 'Its explanation shows what it waits for. Fix that, or ask it to cancel.',
  not_valid: 'Its explanation shows what it waits for. Fix that; it cannot be canceled now.',
  refused: 'It has refused to cancel. Its explanation shows what it waits for. Fix that, and it continues.',
};

/** An operation that exceeds its budget. S5.3 */
export function hungConcern(
  row: Pick<Row<'operations'>, 'name' | 'request_id' | 'workflow_start_time'>,
  cancel: CancelAnswer,
): Concern {
  const { name, request_id: operation, workflow_start_time: since } = row;
  return concern({
    ...{
      kind: 'operation',
      of: whatOf(name),
      name,
      operation,
      since,
      reason: 'hung',
      message: 'it exceeds its time budget',
    },
    what_to_do: HUNG[cancel],
    fix: cancel === 'valid' ? 'cancel' : null,
    command: `reeve operations explain ${shellWord(operation)}`,
  });
}

/** The entity on which an operation was opened, as its row is now. */
type Now = Pick<Row<'entities'>, 'need_since' | 'state_entry_time' | 'deleted'>;

/** An operation that has failed with an error that needs an operator, where nothing has changed on its entity since. concerns.2 */
export function failedConcern(
  row: Pick<Row<'operations'>, 'name' | 'request_id' | 'workflow_end_time'> & WithCause,
  on: Now | undefined,
): Concern | undefined {
  const { name, request_id: operation, workflow_end_time: ended } = row;
  // An entity that says itself that it needs a person is told of already.
  if (!on || on.deleted || on.need_since !== null) return undefined;
  if (new Date(on.state_entry_time) > new Date(ended!)) return undefined;
  return concern({
    ...{ kind: 'operation', of: whatOf(name), name, operation, since: ended, reason: 'failed' },
    ...{ message: 'it has failed with an error that needs an operator', error: causeOf(row) },
    what_to_do: 'Fix the cause, then raise the event again.',
    command: `reeve operations show ${shellWord(operation)}`,
  });
}

interface WithCause {
  readonly workflow_error?: unknown;
}

/** The error of an operation that has failed, as its row and that of its error have it. */
export function causeOf(row: object): Concern['error'] {
  const { workflow_error: error } = row as WithCause;
  const { error_details: details } = (error ?? {}) as { readonly error_details?: string };
  if (details === undefined) return null;
  const [, code = 'failed', message = details] = /^(\w+): (.*)$/s.exec(details) ?? [];
  return { code, message };
}

/** A deployment that has ended abnormally, where none of its name was deployed since. W1, concerns.2 */
export function deploymentConcern(
  row: Pick<
    Row<'deployments'>,
    'name' | 'component' | 'end_time' | 'end_type' | 'end_description' | 'end_component' | 'undeployed'
  >,
): Concern {
  const { name, component, end_time: since, end_description: message, end_component: path, undeployed } = row;
  const code = undeployed ? 'undeployed' : row.end_type;
  return concern({
    ...{ kind: 'deployment', of: component, name, since, reason: 'failed' },
    message: `it has ${undeployed ? 'failed to deploy' : `ended: ${code}`}${path ? `, by its component ${path}` : ''}`,
    error: { code: code ?? 'abnormal', message: message ?? '' },
    what_to_do: 'Fix the cause, then deploy it again.',
    command: `reeve deployments get ${shellWord(name)}`,
  });
}

/**
 * The concerns of an operation over partitions. I1 to I8
 * @param unservedPlaces the places that no executor serves, with those of their executors that are frozen
 * @param locks its jobs that wait for a lock
 */
export function distributedConcerns(
  row: Pick<
    Row<'distributed_operations'>,
    'name' | 'type' | 'start_time' | 'end_time' | 'outcome' | 'reading' | 'request_id'
  >,
  unservedPlaces: ReadonlyMap<string, readonly string[] | undefined>,
  locks: readonly BlockedJobs[] = [],
): readonly Concern[] {
  const { name, type, start_time: since, end_time: ended } = row;
  const reading = row.reading as InstanceReading;
  const common = { kind: 'distributed', of: type, name, operation: row.request_id, since } as const;
  const named = shellWord(name);
  if (ended !== null) {
    if (row.outcome !== 'failed') return [];
    return [
      concern({
        ...{ ...common, since: ended, reason: 'failed', message: `it has failed: ${reading.reason ?? 'unknown'}` },
        what_to_do: 'Fix the cause, then start it again.',
        command: `reeve distributed show ${named}`,
      }),
    ];
  }
  const found: Concern[] = [];
  const waiting = placesOf(reading).filter((place) => unservedPlaces.has(place));
  for (const place of waiting) {
    const jobs = reading.lanes.filter((lane) => lane.place === place).length;
    const frozen = unservedPlaces.get(place);
    found.push(
      concern({
        ...{ ...common, of: `${type} at ${place}`, reason: 'no_executor' },
        message: `${jobs > 0 ? `${jobs} of its jobs wait` : 'it waits'} for an executor at '${place}', but ${frozen ? frozenWords(frozen) : 'none runs there'}`,
        what_to_do: `${frozen ? 'Continue it' : 'Start an executor there'}. The operation then continues automatically.`,
        command: frozen ? continuing(frozen) : `reeve executor --place ${shellWord(place)}`,
      }),
    );
  }
  const nowhere = reading.blocked?.find(({ kind }) => kind === 'no_place');
  if (nowhere)
    found.push(
      concern({
        ...{ ...common, reason: 'no_place', message: `no place holds its partitions ${nowhere.partitions}` },
        what_to_do: 'Start a place that holds them. The operation then continues automatically. Or cancel it.',
        command: `reeve distributed show ${named}`,
      }),
    );
  const [lock, ...others] = locks;
  if (lock) {
    const { partitions, message, since: locked } = lock;
    // The message may name some of them.
    const pids = (lock.pids ?? []).filter((pid) => !message.includes(`${pid}`));
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    found.push(
      concern({
        ...{ ...common, since: locked, reason: 'lock' },
        message: `its job on partition ${partitions}${more} waits for a lock: ${message}${pids.length > 0 ? ` Held by ${pids.length === 1 ? 'pid' : 'pids'} ${pids.join(', ')}.` : ''}`,
        what_to_do:
          'End the process that holds the lock. The job then continues automatically. Or cancel the operation.',
        command: `reeve distributed show ${named}`,
      }),
    );
  }
  if (stateOf(reading) === 'paused')
    found.push(
      concern({
        ...{ ...common, reason: 'paused', message: 'a person has paused it' },
        what_to_do: 'Resume it, or cancel it.',
        command: `reeve distributed resume ${named}`,
      }),
    );
  const trouble = reading.troubles.find(({ attempts }) => attempts >= FAILS_FROM_ATTEMPT);
  if (trouble)
    found.push(
      concern({
        ...{ ...common, reason: 'job_fails' },
        message: `its job on partition ${trouble.partition} has failed ${trouble.attempts} times: ${trouble.message ?? 'unknown'}`,
        what_to_do: `Fix the cause. The job is retried automatically.`,
        command: `reeve distributed show ${named}`,
      }),
    );
  const retry = reading.retries.find(({ attempts }) => attempts >= FAILS_FROM_ATTEMPT);
  if (retry) {
    const isCleanUp = retry.kind === 'clean' || retry.kind === 'tidy';
    found.push(
      concern({
        ...{ ...common, reason: isCleanUp ? 'clean_up_fails' : 'call_fails' },
        message: `${CALLS[retry.kind] ?? retry.kind}${retry.place === undefined ? '' : ` at '${retry.place}'`} has failed ${retry.attempts} times: ${retry.message}`,
        what_to_do: isCleanUp
          ? 'Fix the cause: it is retried automatically. Or skip the clean-up: its leftovers then remain.'
          : 'Fix the cause. The call is retried automatically.',
        command: isCleanUp ? `reeve distributed proceed ${named}` : `reeve distributed show ${named}`,
      }),
    );
  }
  return found;
}

const CALLS: Readonly<Record<string, string>> = {
  ...{
    clean: 'its clean-up',
    tidy: 'its clean-up before completion',
    place: 'the call that asks where its partitions are',
  },
  ...{ complete: 'its completion', leave: 'its end' },
};

/** The places whose executors an operation that runs needs now. */
export function placesOf({
  lanes,
  retries,
  phase,
}: Pick<InstanceReading, 'lanes' | 'retries' | 'phase'>): readonly string[] {
  if (phase === 'ended') return [];
  return [...new Set([...lanes.map(({ place }) => place), ...retries.flatMap(({ place }) => place ?? [])])];
}

/** A workflow that is stuck by what Temporal shows, whatever it is. */
export function workflowConcern(visible: Pick<Visible, 'id' | 'type' | 'attribute'>, stuck: SeenStuck): Concern {
  const { id, type, attribute } = visible;
  const { since, reason, message, whatToDo } = stuck;
  const text = (name: keyof typeof SEARCH_ATTRIBUTES) => attribute(SEARCH_ATTRIBUTES[name])?.toString() ?? null;
  const common = { since, reason, message, what_to_do: whatToDo };
  const operation = operationOf(id);
  if (type === OPERATION_TYPE && operation !== undefined) {
    const name = text('name') ?? operation;
    const command = `reeve operations explain ${shellWord(operation)}`;
    return concern({ ...common, kind: 'operation', of: whatOf(name), name, operation, command });
  }
  if (type === DEPLOYMENT_TYPE) {
    const name = id.slice(deploymentWorkflowId('').length);
    const command = `reeve deployments get ${shellWord(name)}`;
    return concern({ ...common, kind: 'deployment', of: text('component') ?? type, name, command });
  }
  if (type === DISTRIBUTED_TYPE) {
    const name = distributedNameOf(id);
    return concern({
      ...common,
      kind: 'distributed',
      of: type,
      name,
      command: `reeve distributed show ${shellWord(name)}`,
    });
  }
  if (parseEntityId(id)?.type === type) {
    const shown = { state: text('state'), operation: text('operation') };
    return concern({
      ...common,
      ...shown,
      kind: 'entity',
      of: type,
      name: id,
      command: `reeve explain ${shellWord(id)}`,
    });
  }
  return concern({
    ...common,
    kind: 'workflow',
    of: type,
    name: id,
    command: `temporal workflow describe -w ${shellWord(id)}`,
  });
}

/**
 * The task queue of the workflows, or of their calls, that no worker serves, or one of whose workers is frozen.
 * @param build the build on which new executions begin; none where workers report no builds
 */
export function queueConcern(
  { taskQueue, work, waiting, oldestMs, workers, frozen, lastAskedAt }: UnservedQueue,
  now: number,
  build?: string,
): Concern {
  const tasks = work === 'steps' ? 'tasks' : 'calls';
  const waits = waiting > 0 ? ` ${waiting} of its ${tasks} wait.` : '';
  const late = `${waiting} of its ${tasks} wait, the oldest for ${Math.round(oldestMs / 1_000)} s`;
  const common = {
    kind: 'queue',
    of: `The ${tasks} of '${taskQueue}'`,
    name: taskQueue,
    since: waiting > 0 ? now - oldestMs : lastAskedAt,
  } as const;
  if (frozen)
    return concern({
      ...{ ...common, of: `The task queue '${taskQueue}'`, reason: 'frozen' },
      message: `${frozenWords(frozen)}.${waits}`,
      what_to_do: 'Continue it. Everything then continues automatically.',
      command: continuing(frozen),
    });
  return concern({
    ...{ ...common, reason: 'no_worker' },
    message: workers === 0 ? `no worker serves it.${waits}` : `its workers have ended or are overloaded: ${late}.`,
    what_to_do: `Start a worker. If it ends, see its log and 'reeve doctor'. Everything then continues automatically.`,
    command: build === undefined ? 'reeve worker' : workerOf(build),
  });
}

/** A build on which workflows run, and that no worker serves. Q2 */
export function buildConcern(status: BuildStatus, builds: readonly BuildStatus[]): Concern {
  const { build, running, note } = status;
  const isReversible = leadsBack(status, builds);
  return concern({
    ...{ kind: 'build', of: `Build ${build}`, name: build, reason: 'no_worker', since: note?.since ?? null },
    message:
      running > 0
        ? `${running} workflows run on this build, but no worker serves it`
        : 'new executions begin on this build, but no worker serves it',
    what_to_do: isReversible
      ? `Start workers of this build: ${workerOf(build)}. Or roll the build back.`
      : 'Start workers of this build.',
    command: isReversible ? `reeve rollout undo ${shellWord(build)}` : workerOf(build),
  });
}

/** The command that starts a worker of a build: one that reports no build gets none of its tasks. Q2 */
function workerOf(build: string): string {
  return `REEVE_BUILD=${shellWord(build)} npx reeve worker`;
}

/** The act of an operation, without the key: `create LogicalServer`. */
function whatOf(name: string): string {
  return name.split('/')[0] ?? name;
}

function timeOf(value: Given['since']): string | null {
  if (value === null || value === undefined || value === 0) return null;
  if (typeof value === 'number') return isoTime(value);
  return value instanceof Date ? value.toISOString() : value;
}

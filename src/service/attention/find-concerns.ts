/*
 * Collects what is known of everything that somebody may read, and decides what needs a person.
 *
 * find-concerns.1. The rows of the store and the lists of Temporal are read by their indexes. No worker is asked.
 * find-concerns.2. A service that could not be asked is named. The answers of the others are told all the same.
 * find-concerns.3. Only what the caller may read is told. S6.5
 */
import type { Visible as Shown } from '../../client/live/visibility.js';
import { isTemporalAway } from '../../client/no-answer.js';
import { grpcError } from '../../temporal/grpc-error.js';
import type { AnyEntity } from '../../definition/entity.js';
import { Rejected } from '../../protocol/errors.js';
import { DISTRIBUTED_TYPE, distributedNameOf, parseInstanceName } from '../../protocol/distributed-names.js';
import {
  DEPLOYMENT_TYPE,
  entityId,
  OPERATION_TYPE,
  parseEntityId,
  SEARCH_ATTRIBUTES,
  type EntityRef,
} from '../../protocol/names.js';
import { ERROR_STATE } from '../../protocol/outcome.js';
import type { EntityNeed } from '../../protocol/records.js';
import { isRefusedCancel, quoted } from '../../protocol/odata-text.js';
import type { BlockedJobs, InstanceReading } from '../../distributed/index.js';
import type { StoreViews } from '../../store/index.js';
import { eachOf } from '../each-of.js';
import type { Catalogue } from '../lists/catalogue.js';
import type { Visible } from '../lists/visible.js';
import { MAX_IN_VALUES, parseQuery, type EntityModel } from '../odata/index.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { isReadable, type Readable } from '../readable.js';
import { getsNewRuns } from '../../rollout/index.js';
import type { ReadRollout } from '../routes/rollout.js';
import type { ServiceStore } from '../service-store.js';
import type { Attention, Concern } from './attention-schema.js';
import * as decide from './concerns.js';

/** The most of each kind, unless another number is asked for. */
export const USUAL = 100;
/** How many are asked of Temporal at once. */
const AT_ONCE = 8;
/** An entity that is under way and has said nothing for so long is looked at, in milliseconds. */
const SILENT_MS = 15_000;
/** How many of them are looked at, those with the longest silence first. */
const MOST_SILENT = 50;
/** A job that waits for a lock for so long is reported, in milliseconds: a shorter wait is usual. */
const LOCKED_MS = 15_000;
/** A failure concerns a person for a week, in milliseconds. concerns.2 */
const CONCERNS_MS = 7 * 86_400_000;
/** gRPC status code INVALID_ARGUMENT: an older Temporal, or one that no worker has used, does not know the search attribute. */
const INVALID_ARGUMENT = 3;

/** Temporal sets these for a workflow whose task has failed several times in a row, and for one with a paused call. */
const TROUBLED = ['TemporalReportedProblems IS NOT NULL', 'TemporalPauseInfo IS NOT NULL'];

type Row<V extends keyof StoreViews> = StoreViews[V];
type Workflow = Omit<Shown, 'taskQueue'>;

export interface Asked {
  readonly readable: Readable;
  readonly visible: Visible;
  /** The most of each kind. */
  readonly most?: number;
}

export interface Sources {
  readonly reeve: ServiceParts['reeve'];
  readonly store: ServiceStore;
  readonly levels: Catalogue['levels'];
  /** The declarations, by the names of the types. */
  readonly entities: ReadonlyMap<string, AnyEntity>;
  /** How the builds stand; absent where no builds are told of. */
  readonly rollout: ReadRollout | undefined;
}

/** Finds what needs a person. @throws whatever is no sign of an absent store or Temporal */
export async function findConcerns(sources: Sources, asked: Asked): Promise<Attention> {
  const { reeve, rollout } = sources;
  const { readable } = asked;
  const partial = new Set<Attention['partial'][number]>();
  const rows = new Rows(sources, asked, () => partial.add('store'));
  const ask = <T>(question: Promise<T>) =>
    question.catch((thrown: unknown) => {
      if (!(thrown instanceof Rejected) && !(thrown instanceof ProblemError) && !isTemporalAway(thrown)) throw thrown;
      partial.add('temporal');
      return undefined;
    });

  const [needy, answers, operations, deployments, instances, silent, workers, builds, troubled, untaken] =
    await Promise.all([
      rows.needy(),
      rows.answers(),
      rows.operations(),
      rows.deployments(),
      rows.instances(),
      rows.silent(),
      ask(reeve.workers()),
      readable.everything && rollout ? ask(rollout()) : undefined,
      Promise.all(TROUBLED.map((condition) => ask(ifKnown(listed(reeve, condition, asked.most ?? USUAL))))),
      // An entity that has not begun has shown no tenant, so it is not told to the people of one.
      readable.tenant === undefined
        ? ask(ifKnown(reeve.untaken(readable.everything ? undefined : readable.types, asked.most ?? USUAL)))
        : undefined,
    ]);
  const places = [...new Set(instances.flatMap(({ reading }) => decide.placesOf(reading as InstanceReading)))];
  const unserved = (await ask(reeve.unserved(places))) ?? [];
  const unservedPlaces = new Map(
    unserved.flatMap((queue) =>
      queue.workers === 0 && queue.place !== undefined ? [[queue.place, queue.frozen] as const] : [],
    ),
  );
  const queues = unserved.filter(
    ({ place, work, waiting, frozen }) => place === undefined && (work === 'steps' || (waiting > 0 && !frozen)),
  );
  const shown = partial.has('store') && !partial.has('temporal') ? await ask(inError(reeve, readable)) : undefined;

  const causes = await rows.causes(needy);
  const known = new Set([...needy.map(entityId), ...(untaken ?? []).map(({ workflow }) => workflow.id)]);
  const workflows = new Map<string, Workflow>();
  for (const each of [...silent, ...troubled.flatMap((found) => found ?? [])]) {
    if (!known.has(each.id) && mayRead(readable, each)) workflows.set(each.id, each);
  }
  // While no worker serves the queue, this is the cause for all.
  const looked = queues.some(({ workers: alive, waiting }) => alive === 0 || waiting > 0)
    ? [...workflows.values()].filter(({ id }) => !silent.some((each) => each.id === id))
    : [...workflows.values()];
  const stuck = await eachOf(looked, AT_ONCE, async (workflow) => {
    const found = await ask(reeve.stuck(workflow.id));
    return found && decide.workflowConcern(workflow, found);
  });

  const locks = new Map<string, readonly BlockedJobs[]>();
  await eachOf(instances.filter(mayWaitForLock), AT_ONCE, async ({ name }) => {
    const found = (await ask(reeve.distributed.locks(parseInstanceName(name)))) ?? [];
    locks.set(
      name,
      found.filter(({ since = 0 }) => Date.now() - since >= LOCKED_MS),
    );
  });

  const current = builds?.builds.find(({ role }) => role === 'current');
  const items: Concern[] = [
    ...needy.map((row) => {
      const helpful = decide.eventsThatHelp(sources.entities.get(row.type), row);
      return decide.entityConcern(row, causes.get(ledBy(row) ?? ''), helpful);
    }),
    ...(shown ?? []).map((row) => decide.shownInError(row, decide.eventsThatHelp(sources.entities.get(row.type), row))),
    ...answers.map(decide.answerConcern),
    ...operations,
    ...deployments.map(decide.deploymentConcern),
    ...instances.flatMap((row) => decide.distributedConcerns(row, unservedPlaces, locks.get(row.name))),
    ...queues.map((queue) => decide.queueConcern(queue, Date.now(), current?.build)),
    // A frozen worker may be the one of the build.
    ...(workers?.frozen.length ? [] : (builds?.builds ?? []))
      .filter((build) => !build.served && (build.running > 0 || getsNewRuns(build)))
      .map((build) => decide.buildConcern(build, builds!.builds)),
    ...stuck.flatMap((each) => each ?? []),
    ...(untaken ?? []).map(({ workflow, stuck: why }) => decide.workflowConcern(workflow, why)),
  ];
  items.sort((one, other) => (one.since ?? '').localeCompare(other.since ?? ''));
  const served = workers && {
    task_queue: workers.taskQueue,
    alive: workers.alive,
    frozen: [...workers.frozen],
    builds: [...workers.builds],
  };
  return { at: new Date().toISOString(), items, workers: served ?? null, partial: [...partial] };
}

/** The rows of the store that matter here. */
class Rows {
  readonly #sources: Sources;
  readonly #asked: Asked;
  readonly #miss: () => void;

  constructor(sources: Sources, asked: Asked, miss: () => void) {
    this.#sources = sources;
    this.#asked = asked;
    this.#miss = miss;
  }

  /** The entities that say themselves that they need a person. */
  needy(): Promise<readonly Row<'entities'>[]> {
    return this.#list('entities', 'need_since ne null', 'need_since');
  }

  /** Why the operations have failed that led these entities to an error state, by request id, as far as the caller may see them. */
  async causes(needy: readonly Row<'entities'>[]): Promise<ReadonlyMap<string, Concern['error']>> {
    const operations = [...new Set(needy.flatMap((row) => ledBy(row) ?? []))].slice(0, MAX_IN_VALUES);
    if (operations.length === 0) return new Map();
    const condition = `request_id in (${operations.map(quoted).join(',')})`;
    const found = await this.#list('operations', condition, 'operation_id', operations.length, 'workflow_error');
    return new Map(
      found.flatMap((row) => {
        const cause = decide.causeOf(row);
        // That it has ended in an error state is known.
        return cause?.code === ERROR_STATE ? [] : [[row.request_id, cause] as const];
      }),
    );
  }

  answers(): Promise<readonly Row<'pending_callbacks'>[]> {
    return this.#list('pending_callbacks', `until_time gt ${iso(0)}`, 'since_time');
  }

  /** Entities that are under way and have been silent for long: a call or a task of theirs may wait in vain. */
  async silent(): Promise<readonly Workflow[]> {
    const condition = `settled eq false and need_since eq null and waits eq false and reported_time lt ${iso(SILENT_MS)}`;
    const found = await this.#list('entities', condition, 'reported_time', MOST_SILENT);
    return found.map((row) => asWorkflow(row));
  }

  async operations(): Promise<readonly Concern[]> {
    const needsOperator = `outcome eq 'failed' and workflow_error/error_kind eq 'needs_operator' and workflow_end_time ge ${iso(CONCERNS_MS)}`;
    const [hung, failed] = await Promise.all([
      this.#list('operations', "outcome eq 'hung'", 'workflow_start_time'),
      this.#list('operations', needsOperator, 'workflow_end_time', undefined, 'workflow_error'),
    ]);
    const refOf = ({ name }: Row<'operations'>) => parseEntityId(name.slice(name.indexOf(' ') + 1));
    const now = new Map<string, Row<'entities'>>();
    const wanted = [...hung, ...failed].map(refOf).filter((ref): ref is EntityRef => ref !== undefined);
    const refused = await this.#refused(hung);
    for (const row of await this.#read(() => this.#sources.store.entities(wanted))) now.set(entityId(row), row);
    const on = (row: Row<'operations'>) => {
      const ref = refOf(row);
      return ref && now.get(entityId(ref));
    };
    return [
      ...hung.map((row) =>
        decide.hungConcern(row, refused.has(row.request_id) ? 'refused' : this.#answerToCancel(on(row))),
      ),
      ...failed.flatMap((row) => decide.failedConcern(row, on(row)) ?? []),
    ];
  }

  /** The operations among these of which an entity has refused to cancel. S4.7 */
  async #refused(hung: readonly Row<'operations'>[]): Promise<ReadonlySet<string>> {
    const ids = hung.map(({ request_id: id }) => id).slice(0, MAX_IN_VALUES);
    if (ids.length === 0) return new Set();
    const found = await this.#list('state_machine_events', isRefusedCancel(ids), 'event_id', MAX_IN_VALUES);
    return new Set(found.map(({ request_id: id }) => id));
  }

  /** How an entity would answer a request to cancel, by its declaration and its state in the store. */
  #answerToCancel(row: Row<'entities'> | undefined): decide.CancelAnswer {
    const entity = row && this.#sources.entities.get(row.type);
    // Only the operation can tell how entities answer that are not known here.
    if (!entity) return 'valid';
    const event = entity.cancel === undefined ? undefined : entity.events[entity.cancel];
    return event && !row.deleted && [event.in].flat().includes(row.state) ? 'valid' : 'not_valid';
  }

  /** Those that have ended abnormally, where none of the name was deployed since. */
  async deployments(): Promise<readonly Row<'deployments'>[]> {
    const failed = await this.#list(
      'deployments',
      `end_type ne null and end_type ne 'normal' and end_time ge ${iso(CONCERNS_MS)}`,
      'end_time',
    );
    const kept = await eachOf(failed, AT_ONCE, async (row) => {
      const later = `name eq ${quoted(row.name)} and start_time gt ${new Date(row.start_time).toISOString()}`;
      return (await this.#list('deployments', later, 'start_time', 1)).length === 0 ? row : undefined;
    });
    return kept.flatMap((row) => row ?? []);
  }

  /** Operations over partitions that run, or have failed where none of their type was started on the target since. */
  async instances(): Promise<readonly Row<'distributed_operations'>[]> {
    const { readable, most = USUAL } = this.#asked;
    const since = new Date(Date.now() - CONCERNS_MS);
    const found = await this.#read(() => this.#sources.store.openDistributed({ since, rows: most }));
    return found.filter(({ type }) => readable.everything || readable.distributed.includes(type));
  }

  #list<V extends keyof Catalogue['levels']>(
    view: V,
    filter: string,
    order: string,
    most = this.#asked.most ?? USUAL,
    expand?: string,
  ): Promise<readonly Row<V>[]> {
    const { levels, store } = this.#sources;
    const model = living(levels[view]);
    const query = parseQuery({ $filter: filter, $orderby: order, ...(expand && { $expand: expand }) }, model);
    const limits = { maxRows: most, maxExpanded: 1 };
    return this.#read(async () => {
      const { items } = await store.list(query, this.#asked.visible, limits);
      return items as unknown as readonly Row<V>[];
    });
  }

  async #read<T>(question: () => Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await question();
    } catch (thrown) {
      if (!(thrown instanceof ProblemError)) throw thrown;
      this.#miss();
      return [];
    }
  }
}

/** Tells whether jobs of an operation over partitions run, one of which may wait for a lock. */
function mayWaitForLock({ end_time: ended, ...row }: Row<'distributed_operations'>): boolean {
  const { paused, lanes } = row.reading as InstanceReading;
  return ended === null && !paused && lanes.length > 0;
}

/** Without entities that were deleted. */
function living(model: EntityModel): EntityModel {
  return model.name === 'entities' ? { ...model, only: { ...model.only, deleted: false } } : model;
}

/** The operation that has led an entity to an error state, where it has no error of its own. */
function ledBy({ need }: Row<'entities'>): string | undefined {
  return (need as EntityNeed).operation;
}

/** The workflow of an entity, with what it shows in its row. */
function asWorkflow({
  type,
  key,
  life,
  state,
  operation,
  state_entry_time: startedAt,
  ...row
}: Row<'entities'>): Workflow {
  const tenant: unknown = Reflect.get(row, 'tenant');
  const shown: Readonly<Record<string, unknown>> = {
    [SEARCH_ATTRIBUTES.state]: state,
    [SEARCH_ATTRIBUTES.operation]: operation,
    [SEARCH_ATTRIBUTES.tenant]: tenant,
  };
  const attribute = (name: string) => (typeof shown[name] === 'string' ? shown[name] : undefined);
  return { id: entityId({ type, key }), type, life, startedAt: new Date(startedAt), attribute };
}

async function listed(reeve: Sources['reeve'], condition: string, rows: number): Promise<readonly Workflow[]> {
  return (await reeve.live.workflows([condition], { rows })).rows;
}

/** Gives none where the search attribute of the list is not there: nothing has set it. */
async function ifKnown<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list;
  } catch (thrown) {
    if (Number(grpcError(thrown)?.code) === INVALID_ARGUMENT) return [];
    throw thrown;
  }
}

/** The entities that show Temporal that they rest in an error state, where the store cannot be asked. */
async function inError({ live }: Sources['reeve'], readable: Readable) {
  const conditions = [`${SEARCH_ATTRIBUTES.health} = 'error'`, `${SEARCH_ATTRIBUTES.settled} = true`];
  const { rows } = await live.entities(readable.types, conditions, { rows: USUAL });
  return rows.filter(({ type, tenant }) => isReadable(readable, type, tenant ?? undefined));
}

/** Tells whether somebody may read the thing that a workflow stands for. find-concerns.3 */
function mayRead(readable: Readable, { id, type, attribute }: Workflow): boolean {
  const tenant = attribute(SEARCH_ATTRIBUTES.tenant)?.toString();
  const isTheirs = readable.tenant === undefined || readable.tenant === tenant;
  if (readable.everything) return true;
  if (type === OPERATION_TYPE) {
    const name = attribute(SEARCH_ATTRIBUTES.name)?.toString() ?? '';
    return isReadable(readable, name.split(' ')[1]?.split('/')[0] ?? '', tenant);
  }
  if (type === DEPLOYMENT_TYPE) {
    return isTheirs && readable.components.includes(attribute(SEARCH_ATTRIBUTES.component)?.toString() ?? '');
  }
  if (type === DISTRIBUTED_TYPE) return readable.distributed.includes(parseInstanceName(distributedNameOf(id)).type);
  return parseEntityId(id)?.type === type && isReadable(readable, type, tenant);
}

function iso(ago: number): string {
  return new Date(Date.now() - ago).toISOString();
}

/*
 * What does not get on until a person acts, or has taken longer than it may: of all that somebody may read.
 *
 * find-concerns.1. Whoever cannot be asked is named. What the others know is told all the same.
 * find-concerns.2. Only what the caller may read is told. S6.5
 */
import type { AnyEntity } from '../../definition/entity.js';
import { Rejected } from '../../protocol/errors.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { isTemporalAway } from '../../client/no-answer.js';
import type { Stuck } from '../../kernel/index.js';
import { representEntity } from '../entity-representation.js';
import type { Catalogue } from '../lists/catalogue.js';
import { readableOperations } from '../lists/live/readable-operations.js';
import type { Visible } from '../lists/visible.js';
import { parseQuery, type EntityModel, type Item } from '../odata/index.js';
import { isoTime } from '../operation-representation.js';
import { eachOf } from '../each-of.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { isReadable, type Readable } from '../readable.js';
import type { ServiceStore } from '../service-store.js';
import type { Attention, Concern } from './attention-schema.js';

/** The most of each kind. */
const MOST = 100;
/** How many entities are asked at once why they are stuck. */
const AT_ONCE = 8;
/** Temporal sets this for a workflow whose task has failed several times in a row, and clears it when one goes well. */
const FAILING = 'TemporalReportedProblems IS NOT NULL';
const HUNG = {
  reason: 'hung',
  message: 'it exceeds its time budget',
  what_to_do: 'See its explanation for what it waits for. It may still end; you can also cancel it.',
} as const;

interface Asked {
  readonly readable: Readable;
  readonly visible: Visible;
}

/** @throws whatever is no sign of an absent store or Temporal */
export async function findConcerns(
  parts: ServiceParts,
  store: ServiceStore,
  { levels }: Catalogue,
  { readable, visible }: Asked,
): Promise<Attention> {
  const partial = new Set<Attention['partial'][number]>();
  const stored = (model: EntityModel, filter: string, order: string) =>
    store
      .list(parseQuery({ $filter: filter, $orderby: order }, model), visible, { maxRows: MOST, maxExpanded: 0 })
      .then(({ items }) => items)
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ProblemError)) throw thrown;
        partial.add('store');
        return [];
      });
  const shown = <T>(asked: Promise<{ readonly rows: readonly T[] }>) =>
    asked
      .then(({ rows }) => rows)
      .catch((thrown: unknown) => {
        if (!(thrown instanceof Rejected) && !isTemporalAway(thrown)) throw thrown;
        partial.add('temporal');
        return [];
      });
  const living = { ...levels.entities, only: { ...levels.entities.only, deleted: false } };
  const page = { rows: MOST };
  const serving = parts.reeve.workers().catch((thrown: unknown) => {
    if (!(thrown instanceof Rejected) && !isTemporalAway(thrown)) throw thrown;
    partial.add('temporal');
    return undefined;
  });
  const [stuckRows, hungRows, failing, failingOperations, workers] = await Promise.all([
    stored(living, 'stuck_since ne null', 'stuck_since'),
    stored(levels.operations, "outcome eq 'hung'", 'workflow_start_time'),
    shown(parts.reeve.live.entities(readable.types, [FAILING], page)),
    shown(parts.reeve.live.operations([FAILING], page)),
    serving,
  ]);
  const refs = new Map<string, EntityRef & { readonly row?: Item }>();
  for (const row of stuckRows) {
    const ref = { type: String(row['type']), key: String(row['key']) };
    refs.set(entityId(ref), { ...ref, row });
  }
  for (const { type, key, tenant } of failing) {
    if (isReadable(readable, type, tenant ?? undefined)) refs.set(entityId({ type, key }), { type, key });
  }
  const entities = await eachOf([...refs.values()], AT_ONCE, (ref) => concernOfEntity(parts, ref));
  const hung = hungRows.map((row) => ({ ...concernOfOperation(row), ...HUNG }));
  const stalled = readableOperations(failingOperations, readable).map((row) => ({
    ...concernOfOperation({ ...row }),
    reason: 'task_fails',
    message: 'the tasks of its workflow fail again and again',
    what_to_do: 'See its explanation for the error. It continues automatically when a worker can complete the task.',
  }));
  const items = [...entities.flatMap((each) => each ?? []), ...hung, ...stalled];
  items.sort((one, other) => (one.since ?? '').localeCompare(other.since ?? ''));
  const served = workers ? { task_queue: workers.taskQueue, alive: workers.alive, builds: [...workers.builds] } : null;
  return { at: new Date().toISOString(), items, workers: served, partial: [...partial] };
}

/** Why an entity needs somebody, in its own words; in those of its row where it does not answer; nothing where it goes on. */
async function concernOfEntity(
  { reeve, modules }: ServiceParts,
  { row, ...ref }: EntityRef & { readonly row?: Item },
): Promise<Concern | undefined> {
  const entity = modules.flatMap(({ entities }) => entities).find(({ name }) => name === ref.type);
  const common = { kind: 'entity', name: entityId(ref) } as const;
  const told = entity && (await ownWords(entity, () => reeve.read(ref)));
  if (told) {
    const { stuck, stuck_since: since, state, operation, last_error: error } = told;
    if (stuck) return { ...common, operation, state, since, ...stuck, error };
  }
  const served = told?.stuck ? undefined : await reeve.stuck(ref);
  if (served) return { ...common, ...last(row), ...inWords(served), error: null };
  // It has gone on meanwhile.
  if (told || !row) return undefined;
  return {
    ...{ ...common, ...last(row), since: timeOf(row['stuck_since']), reason: 'stuck', error: null },
    message: 'it makes no progress, and does not answer now',
    what_to_do: 'See its explanation for what it waits for.',
  };
}

async function ownWords(entity: AnyEntity, read: () => ReturnType<ServiceParts['reeve']['read']>) {
  try {
    const { snapshot, gone } = await read();
    return gone ? undefined : representEntity(entity, snapshot, Date.now());
  } catch (thrown) {
    if (thrown instanceof Rejected || isTemporalAway(thrown)) return undefined;
    throw thrown;
  }
}

function last(row: Item | undefined): Pick<Concern, 'operation' | 'state'> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { operation: text(row?.['operation']), state: text(row?.['state']) };
}

function inWords({
  since,
  reason,
  message,
  whatToDo,
}: Stuck): Pick<Concern, 'since' | 'reason' | 'message' | 'what_to_do'> {
  return { since: isoTime(since), reason, message, what_to_do: whatToDo };
}

function concernOfOperation(row: Item): Pick<Concern, 'kind' | 'name' | 'operation' | 'state' | 'since' | 'error'> {
  return {
    ...{ kind: 'operation', name: String(row['name']), operation: String(row['request_id']) },
    ...{ state: null, since: timeOf(row['workflow_start_time']), error: null },
  };
}

function timeOf(value: unknown): string | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : null;
}

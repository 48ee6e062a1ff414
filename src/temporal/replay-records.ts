import type { Client } from '@temporalio/client';
import type { HistoryAndWorkflowId } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { InjectedSinks, WorkflowBundleOption } from '@temporalio/worker';
import { workerConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import { DISTRIBUTED_TYPE } from '../protocol/distributed-names.js';
import { DEPLOYMENT_TYPE, OPERATION_TYPE } from '../protocol/names.js';
import type { AnyEntity } from '../definition/entity.js';
import { entityRecord } from '../kernel/index.js';
import type { StoreRecord } from '../protocol/records.js';
import type { RecordSinks } from './record-driver.js';
import { toldLife, type ToldLife } from './told-life.js';
import { whatHappened } from './what-happened.js';
import { workerSdk } from './worker-sdk.js';

/** The records of one run, from its history. */
export interface ReplayedRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly records: readonly StoreRecord[];
  /** The life of an entity of which the run is the last, where its history was read to its end. */
  readonly told?: ToldLife;
  /** Why the history could not be replayed to its end: the code is no longer what it was. */
  readonly problem?: string;
}

/** How many histories are fetched ahead, so that replaying does not wait. */
const AHEAD = 8;

/**
 * Replays the runs of all entities of these types that the service still has, and of the operations, deployments and distributed operations of this task queue, and gives what they had told the store:
 * the workflows are the truth. S5.2
 */
export async function* replayRecords(
  client: Client,
  workflowBundle: WorkflowBundleOption,
  {
    entities,
    taskQueue,
    payloads = UNENCRYPTED,
  }: { readonly entities: readonly AnyEntity[]; readonly taskQueue: string; readonly payloads?: PayloadSettings },
): AsyncGenerator<ReplayedRun> {
  const told = new Map<string, StoreRecord[]>();
  const lives = new Map<string, ToldLife>();
  const declared = new Map(entities.map((entity) => [entity.name, entity]));
  const sinks: InjectedSinks<RecordSinks> = {
    reeve: {
      offer: {
        fn: ({ runId }, records) => void told.set(runId, [...(told.get(runId) ?? []), ...records]),
        callDuringReplay: true,
      },
      resume: { fn: () => undefined, callDuringReplay: false },
    },
  };
  // The task queue tells them from those of other projects.
  const others = `(WorkflowType IN ('${OPERATION_TYPE}', '${DEPLOYMENT_TYPE}', '${DISTRIBUTED_TYPE}') AND TaskQueue = '${taskQueue}')`;
  const query = [others, ...[...declared.keys()].map((type) => `WorkflowType = '${type}'`)].join(' OR ');
  const begunAt = Date.now();
  /** Runs that have not done anything yet. */
  const idle: Pick<ReplayedRun, 'workflowId' | 'runId'>[] = [];
  const ended = (run: Pick<ReplayedRun, 'workflowId' | 'runId'>, problem?: string): ReplayedRun => {
    const { runId } = run;
    const records = told.get(runId) ?? [];
    const life = lives.get(runId);
    told.delete(runId);
    lives.delete(runId);
    if (problem !== undefined) return { ...run, records, problem };
    return life
      ? { ...run, records: [...begunWith(declared, life, records), ...records], told: life }
      : { ...run, records };
  };
  async function* histories(): AsyncGenerator<HistoryAndWorkflowId> {
    for await (const found of client.workflow.list({ query }).intoHistories({ concurrency: AHEAD })) {
      const { workflowId } = found;
      const history = found.history as temporal.api.history.v1.IHistory;
      const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
      const runId = started?.originalExecutionRunId ?? '';
      const life = declared.has(started?.workflowType?.name ?? '')
        ? await toldLife(client, history, begunAt)
        : undefined;
      if (life) lives.set(runId, life);
      const happened = whatHappened(history);
      if (happened) yield { workflowId, history: happened };
      else idle.push({ workflowId, runId });
    }
  }
  const dataConverter = workerConverter(payloads, client.options.namespace);
  for await (const result of workerSdk().Worker.runReplayHistories(
    { workflowBundle, sinks, dataConverter },
    histories(),
  )) {
    const { workflowId, runId, error } = result;
    yield ended({ workflowId, runId }, error?.message);
  }
  for (const run of idle) yield ended(run);
}

/** How the entity was when its last run began, where that run has told of no change since. */
function begunWith(
  declared: ReadonlyMap<string, AnyEntity>,
  { from }: ToldLife,
  records: readonly StoreRecord[],
): readonly StoreRecord[] {
  const entity = from && declared.get(from.snapshot.type);
  if (!entity || records.some(({ kind }) => kind === 'entity')) return [];
  // One of an older schema is told when it has been migrated.
  if ((from.snapshot.schema ?? 1) !== entity.schema) return [];
  return [entityRecord(entity, from.snapshot, from.at)];
}

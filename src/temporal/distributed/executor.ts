import { WorkflowNotFoundError, type Client, type ConnectionLike } from '@temporalio/client';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  cleanJobs,
  lookAtRecords,
  recordVerdict,
  runLane,
  tidyPlace,
  type CleanWork,
  type DistributedOperationLogic,
  type Instance,
  type JobLedger,
  type JobRecord,
  type LaneWork,
  type RecordVerdict,
  type TidyWork,
} from '../../distributed/index.js';
import {
  CLEAN_ACTIVITY,
  distributedWorkflowId,
  INSTANCE_QUERY,
  LANE_ACTIVITY,
  placeTaskQueue,
  TIDY_ACTIVITY,
} from '../../protocol/distributed-names.js';
import { DEFAULT_TASK_QUEUE } from '../../protocol/names.js';
import { workerConverter } from '../../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../../secrecy/payload-settings.js';
import { temporalClient } from '../temporal-client.js';
import { ask } from '../ask.js';
import { runToEnd } from '../unfinished-work.js';
import { workerSdk } from '../worker-sdk.js';
import { beating } from './activities.js';
import { BEAT_MS, laneDriver, type LaneHost } from './lane-driver.js';
import { LaneWatch } from './lane-watch.js';
import { logicOf, logicsByType } from './logics.js';

/** The settings of an executor: whoever does the jobs of a place. I1 */
export interface ExecutorOptions {
  readonly connection: NativeConnection;
  /** Of `connect`: it asks an instance that is busy again at once, and the SDK's own only after a second. I5 */
  readonly clientConnection: ConnectionLike;
  readonly namespace: string;
  /** The task queue of the workers that serve the operations. */
  readonly taskQueue?: string;
  /** The place, as the placements of targets name it. */
  readonly place: string;
  readonly operations: readonly DistributedOperationLogic[];
  /** The records of the jobs of the place, which outlive the executor. I2 */
  readonly ledger: JobLedger;
  /** Sets how many jobs the place does at once, of all operations. Default 100. */
  readonly atOnce?: number;
  /** Sets how payloads are encrypted, as for the workers. Without it they are not. Q5 */
  readonly payloads?: PayloadSettings;
}

/** How long running jobs have to reach a point where they can stop, when the executor is stopped. */
const GRACE_MS = 10_000;
/** The pause between two looks for records of operations that are gone, and before a look that has failed is repeated. */
const LOOK_EVERY_MS = 60_000;
const AGAIN_MS = 1_000;

/** Does the jobs of one place. Start it with `run()`, end it with `shutdown()`. */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #logics: ReadonlyMap<string, DistributedOperationLogic>;
  readonly #client: Client;
  readonly #ended = new AbortController();
  #worker: Worker | undefined;

  /** @throws DeclarationError when the operations do not fit together */
  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#logics = logicsByType(options.operations);
    // Each lane listens, and there are as many as there are jobs at once.
    setMaxListeners(0, this.#ended.signal);
    this.#client = temporalClient({ ...options, connection: options.clientConnection });
  }

  /** Cleans up what was left at the place, and then runs until `shutdown()`. I2 */
  async run(): Promise<void> {
    const { connection, namespace, taskQueue = DEFAULT_TASK_QUEUE, place, atOnce } = this.#options;
    const { payloads = UNENCRYPTED } = this.#options;
    await payloads.keys?.current();
    await this.#lookUntilDone();
    if (this.#ended.signal.aborted) return;
    this.#worker = await workerSdk().Worker.create({
      ...{ connection, namespace, taskQueue: placeTaskQueue(taskQueue, place) },
      activities: this.#activities(),
      dataConverter: workerConverter(payloads, namespace),
      ...(atOnce !== undefined && { maxConcurrentActivityTaskExecutions: atOnce }),
      maxHeartbeatThrottleInterval: BEAT_MS,
      defaultHeartbeatThrottleInterval: BEAT_MS,
      shutdownGraceTime: GRACE_MS,
      shutdownForceTime: 2 * GRACE_MS,
    });
    const looking = this.#lookNowAndThen();
    try {
      if (!this.#ended.signal.aborted) await runToEnd(this.#worker);
    } finally {
      this.#ended.abort();
      await looking;
    }
  }

  /** Takes no more work. `run()` ends when the jobs under way have ended, or have noted how far they are. */
  shutdown(): void {
    this.#ended.abort();
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
  }

  #activities() {
    const { ledger } = this.#options;
    const logics = this.#logics;
    const client = this.#client;
    const host: LaneHost = { ledger, client, watch: new LaneWatch(client), ending: this.#ended.signal };
    return {
      [LANE_ACTIVITY]: (work: LaneWork) => runLane(logicOf(logics, work.type), laneDriver(host, work), work),
      [CLEAN_ACTIVITY]: (work: CleanWork) => beating(() => cleanJobs(logicOf(logics, work.type), ledger, work)),
      [TIDY_ACTIVITY]: (work: TidyWork) => beating(() => tidyPlace(logicOf(logics, work.type), ledger, work)),
    };
  }

  /** Before it takes work, all that is left here is as it has to be. Until Temporal and a worker answer, it waits. */
  async #lookUntilDone(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#look((instance, record) => recordVerdict(instance, this.#options.place, record));
        return;
      } catch {
        // Nobody answers yet, or a clean-up has failed. The record is still there.
        await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** While lanes run, only what no lane can have any more is cleaned up. */
  async #lookNowAndThen(): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#look((instance, record) =>
        !instance || instance.phase === 'ended' ? recordVerdict(instance, this.#options.place, record) : 'keep',
      ).catch(() => undefined);
    }
  }

  async #look(verdict: (instance: Instance | undefined, record: JobRecord) => RecordVerdict): Promise<void> {
    const { ledger, place } = this.#options;
    const known = new Map<string, Promise<Instance | undefined>>();
    await lookAtRecords(this.#logics, ledger, place, async (record) => {
      const found = known.get(record.instance) ?? this.#instance(record.instance);
      known.set(record.instance, found);
      return verdict(await found, record);
    });
  }

  /** An instance as data; nothing when it is gone, or was ended by force. */
  async #instance(name: string): Promise<Instance | undefined> {
    const handle = this.#client.workflow.getHandle(distributedWorkflowId(name));
    try {
      const { status } = await handle.describe();
      if (['TERMINATED', 'FAILED', 'TIMED_OUT', 'CANCELLED'].includes(status.name)) return undefined;
      return await this.#client.withDeadline(Date.now() + 10_000, () => ask<Instance>(handle, INSTANCE_QUERY));
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) return undefined;
      throw thrown;
    }
  }
}

import {
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  argumentTooLarge,
  contentOf,
  membersOf,
  nameOf,
  readInstance,
  startedBy,
  type BlockedJobs,
  type Coordinator,
  type Instance,
  type InstanceReading,
  type InstanceRef,
  type OperationTypes,
  type PartitionSet,
  type RunningOperation,
  type StartAnswer,
  type StartRequest,
} from '../distributed/index.js';
import {
  COORDINATOR_QUERY,
  COORDINATOR_TYPE,
  coordinatorWorkflowId,
  DISTRIBUTED_TYPE,
  distributedNameOf,
  distributedWorkflowId,
  INSTANCE_QUERY,
  LOOK_SIGNAL,
  parseInstanceName,
  START_UPDATE,
  STEER_UPDATE,
} from '../protocol/distributed-names.js';
import { Rejected } from '../protocol/errors.js';
import { SEARCH_ATTRIBUTES } from '../protocol/names.js';
import { requestOn } from '../protocol/request-id.js';
import { ask } from '../temporal/ask.js';
import type { CoordinatorRunInput } from '../temporal/distributed/coordinator-workflow.js';
import type { LaneSays } from '../temporal/distributed/lane-driver.js';
import type { Steering } from '../temporal/distributed/steering.js';
import { startedOn, type FoundInstance } from './distributed-reading.js';
import { NONE_FROZEN, type FrozenWorkers } from './frozen-workers.js';
import { blockedLanes, locksIn } from './blocked-lanes.js';
import { answerInTime } from './answer-in-time.js';
import { laneReports } from './lane-reports.js';
import { quoted } from './live/quoted.js';
import { listVisible, type PageRequest } from './live/visibility.js';
import { newRequestId } from './new-request-id.js';
import { Pace } from './pace.js';
import type { PastReader } from './past-reader.js';

/** Holds the options of a request for one job. */
export interface RequestOptions {
  /** The same id again changes nothing more. A random one by default. S2.5 */
  readonly requestId?: string;
}

/** Holds the options of starting an operation over partitions. */
export interface StartOptions {
  /** The same id again gets the first answer. A random one by default. S2.5 */
  readonly requestId?: string;
  /** Only these partitions, as in `0-99,120`; all by default. */
  readonly partitions?: PartitionSet;
  /** At most so many jobs at once; by default, what the type says. */
  readonly atOnce?: number;
}

/** An operation was not started, and nothing of it is left. I4, I8 */
export class StartRefused extends Rejected {
  /** The one that runs and is in the way. */
  readonly running: RunningOperation | undefined;

  constructor(
    target: string,
    type: string,
    { code, message, running }: Extract<StartAnswer, { kind: 'refused' }>['refusal'],
  ) {
    super({ code, message, entity: coordinatorWorkflowId(target), event: type });
    this.running = running;
  }
}

/** One lane, and what its executor said last. */
export interface LaneReading {
  readonly number: number;
  readonly place: string;
  readonly partitions: PartitionSet;
  /** Shows how many of its jobs have ended; nothing where no executor has taken it. */
  readonly ended?: number;
  /** The job at hand, and how far it is. */
  readonly partition?: number;
  readonly progress?: unknown;
}

/** Describes how far an instance is. */
export interface DistributedReading extends InstanceReading {
  readonly lanes: readonly LaneReading[];
  /** Shows how much of the work is done, from 0 to 1. */
  readonly done: number;
  /** Shows when it will have ended if it goes on as it did lately, in milliseconds since 1970; nothing while it is paused or blocked. */
  readonly estimatedEnd?: number;
}

/** An instance that Temporal lists, a moment late. */
export interface ListedInstance extends InstanceRef {
  readonly name: string;
  /** `running`, `paused`, `stopping`, `tidying`, `completing`, `leaving` or `ended`. */
  readonly state: string | undefined;
  readonly outcome: string | undefined;
  readonly startedAt: Date;
}

/** Of so many instances it is known how fast they were. */
const MOST_PACES = 500;

interface DistributedOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly types?: OperationTypes;
  readonly past?: PastReader;
  readonly frozen?: FrozenWorkers;
}

/** Operations over partitions: one job on each partition of a target. I1 to I8 */
export class DistributedOperations {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #past: PastReader | undefined;
  readonly #frozen: FrozenWorkers;
  /** By the name of the instance, the latest ones last. */
  readonly #paces = new Map<string, Pace>();

  /** The declared types, as far as this client was told of them. */
  readonly types: OperationTypes;

  constructor({ client, taskQueue, types = new Map(), past, frozen = NONE_FROZEN }: DistributedOptions) {
    this.types = types;
    this.#frozen = frozen;
    this.#past = past;
    this.#client = client;
    this.#taskQueue = taskQueue;
  }

  /**
   * Starts an operation on a target.
   * @returns the number of its instance: the higher, the later, for each target and type. I3
   * @throws StartRefused, and then nothing of it is left; Rejected `no_answer`
   */
  async start(type: string, target: string, argument: unknown, options: StartOptions = {}): Promise<InstanceRef> {
    const { partitions, atOnce } = options;
    const requestId = requestOn(target, options.requestId ?? newRequestId());
    const tooLarge = argumentTooLarge(type, argument);
    if (tooLarge) throw new StartRefused(target, type, tooLarge);
    if (partitions !== undefined) refuseUnreadable(partitions, target, type);
    const request: StartRequest = {
      ...{ request: requestId, type, argument },
      ...(partitions !== undefined && { partitions }),
      ...(atOnce !== undefined && { atOnce }),
    };
    const workflowId = coordinatorWorkflowId(target);
    const started = await answerInTime(
      this.#client,
      workflowId,
      () =>
        this.#client.workflow.executeUpdateWithStart<Coordinating, StartAnswer, [StartRequest]>(START_UPDATE, {
          args: [request],
          // Temporal answers the same update id again by itself, whatever comes with it.
          updateId: `${requestId}/${contentOf(request)}`,
          startWorkflowOperation: new WithStartWorkflowOperation<Coordinating>(COORDINATOR_TYPE, {
            ...{ workflowId, taskQueue: this.#taskQueue, args: [{ target }] },
            workflowIdConflictPolicy: 'USE_EXISTING',
            staticSummary: `operations on ${target}`,
          }),
        }),
      STARTS_WITHIN_MS,
    );
    if (started.kind === 'refused') throw new StartRefused(target, type, started.refusal);
    return { target, type, instance: started.instance };
  }

  /** Returns how far an instance is. @throws Rejected `absent`, `terminated`, or `no_answer` */
  async read(ref: InstanceRef): Promise<DistributedReading> {
    return this.#asked(ref, async (handle) => {
      const { status, raw } = await handle.describe();
      if (status.name === 'COMPLETED') {
        this.#paces.delete(nameOf(ref));
        return withLanes((await handle.result()) as InstanceReading, []);
      }
      if (status.name !== 'RUNNING' && status.name !== 'CONTINUED_AS_NEW') throw terminated(ref);
      const said = await this.#laneReports(raw);
      const instance = await ask<Instance>(handle, INSTANCE_QUERY);
      const reading = withLanes(readInstance(instance), said);
      const lanes = await blockedLanes(this.#client, this.#taskQueue, instance, said, this.#frozen);
      return this.#withEstimate({ ...reading, blocked: [...(reading.blocked ?? []), ...lanes] });
    });
  }

  /** Returns the jobs of an instance that wait for a lock, as far as Temporal knows. No worker is asked. I5, S5.4 @throws Rejected `no_answer` */
  async locks(ref: InstanceRef): Promise<readonly BlockedJobs[]> {
    try {
      return await this.#asked(ref, async (handle) => locksIn(await this.#laneReports((await handle.describe()).raw)));
    } catch (thrown) {
      if (thrown instanceof Rejected && thrown.code === 'absent') return [];
      throw thrown;
    }
  }

  #laneReports({ pendingActivities }: Described): Promise<readonly LaneSays[]> {
    return laneReports(this.#client.options.loadedDataConverter, pendingActivities ?? []);
  }

  /** Anyone who looks again and again is told from how it went lately. */
  #withEstimate(reading: DistributedReading): DistributedReading {
    const { done } = reading;
    const now = Date.now();
    const worked = workedMs(reading, now);
    if (worked === undefined || worked <= 0 || done === 0) return reading;
    const rate = this.#paceOf(nameOf(reading)).note(worked, done);
    return { ...reading, estimatedEnd: Math.round(now + (1 - done) / rate) };
  }

  #paceOf(name: string): Pace {
    const pace = this.#paces.get(name) ?? new Pace();
    this.#paces.delete(name);
    this.#paces.set(name, pace);
    if (this.#paces.size > MOST_PACES) this.#paces.delete(this.#paces.keys().next().value!);
    return pace;
  }

  /** The instances of all targets, or of one, in no order. @throws Rejected `no_answer` */
  async list(
    page: PageRequest = { rows: 100 },
    target?: string,
  ): Promise<{ readonly rows: readonly ListedInstance[]; readonly next?: string }> {
    const conditions = [
      `WorkflowType = ${quoted(DISTRIBUTED_TYPE)}`,
      // An instance is as many workflows as it has gone on in new runs.
      `ExecutionStatus != 'ContinuedAsNew'`,
      ...(target === undefined ? [] : [`WorkflowId STARTS_WITH ${quoted(distributedWorkflowId(`${target}/`))}`]),
    ];
    const { found, next } = await listVisible(this.#client, conditions.join(' AND '), page);
    const rows = found.map(({ id, startedAt, attribute }): ListedInstance => {
      const name = distributedNameOf(id);
      const text = (which: keyof typeof SEARCH_ATTRIBUTES) => attribute(SEARCH_ATTRIBUTES[which])?.toString();
      return { name, ...parseInstanceName(name), startedAt, state: text('state'), outcome: text('outcome') };
    });
    return { rows, ...(next !== undefined && { next }) };
  }

  /** Reads what runs on a target, and what completions could not start. A target on which nothing was started has neither. @throws Rejected `no_answer` */
  async target(target: string): Promise<Pick<Coordinator, 'running' | 'refused'>> {
    const { running = [], refused = [] } = (await this.#coordinator(target)) ?? {};
    return { running, refused };
  }

  async #coordinator(target: string): Promise<Coordinator | undefined> {
    const workflowId = coordinatorWorkflowId(target);
    const handle = this.#client.workflow.getHandle(workflowId);
    try {
      return await answerInTime(this.#client, workflowId, () => ask<Coordinator>(handle, COORDINATOR_QUERY));
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) return undefined;
      throw thrown;
    }
  }

  /**
   * Finds the instance that a request has started on a target, and reads it. Its coordinator knows the last ones, and the store those
   * before them. S2.5, S4.7
   * @throws Rejected `absent`, `terminated`, `no_answer`, `try_again` while the store is unavailable
   */
  async started(requestId: string, target: string): Promise<FoundInstance> {
    const request = requestOn(target, requestId);
    const known = startedBy((await this.#coordinator(target))?.requests ?? {}, request);
    const past = known ? undefined : await this.#past?.outcome(startedOn(target), { id: request, event: '' });
    const { type, instance } = known ?? { type: past?.event, instance: past?.outcome.version ?? 0 };
    if (type === undefined) throw unknownRequest(request, target);
    const ref = { target, type, instance };
    return { ref, reading: await this.read(ref) };
  }

  /**
   * Waits for the end. It outlasts pauses and the loss of its executor. `signal` only ends the waiting, with an error.
   * @throws Rejected `absent`, `terminated`
   */
  async result(ref: InstanceRef, signal?: AbortSignal): Promise<InstanceReading> {
    const wait = () => this.#handle(ref).result();
    try {
      return (await (signal ? this.#client.withAbortSignal(signal, wait) : wait())) as InstanceReading;
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) throw absent(ref);
      if (thrown instanceof WorkflowFailedError) throw terminated(ref);
      throw thrown;
    }
  }

  /** Within a second no job starts, and jobs that can be interrupted stop. I5 @throws Rejected `absent`, `ending`, `no_answer` */
  pause(ref: InstanceRef): Promise<InstanceReading> {
    return this.#steer(ref, { kind: 'pause' });
  }

  /** @throws Rejected `absent`, `ending`, `no_answer` */
  resume(ref: InstanceRef): Promise<InstanceReading> {
    return this.#steer(ref, { kind: 'resume' });
  }

  /**
   * Limits how many jobs run at once, and how much each does in a second. @throws Rejected `absent`, `ending`, `invalid_request`,
   * `no_answer`
   */
  limit(ref: InstanceRef, limit: { readonly atOnce?: number; readonly perSecond?: number }): Promise<InstanceReading> {
    return this.#steer(ref, { kind: 'limit', ...limit });
  }

  /** Its jobs stop and are cleaned up, and its completion runs. I5 @throws Rejected `absent`, `ending`, `no_answer` */
  cancel(ref: InstanceRef, reason?: string): Promise<InstanceReading> {
    return this.#steer(ref, { kind: 'cancel', ...(reason !== undefined && { reason }) });
  }

  /**
   * It tries the clean-ups that fail once more, and continues without those that fail again. What they would have cleaned up stays where it
   * is. I5 @throws Rejected `absent`, `ending`, `no_answer`
   */
  proceed(ref: InstanceRef): Promise<InstanceReading> {
    return this.#steer(ref, { kind: 'proceed' });
  }

  /**
   * It makes the next attempt of a job now, in place of after a while, or runs a failed job again while others still run.
   * @throws Rejected `absent`, `ending`, `unknown_partition`, `job_succeeded`, `job_running`, `job_waiting`, `request_conflict`, `no_answer`
   */
  retryJob(ref: InstanceRef, partition: number, options: RequestOptions = {}): Promise<InstanceReading> {
    const { requestId: request = newRequestId() } = options;
    return this.#steer(ref, { kind: 'retry', partition, request });
  }

  /**
   * It moves a job to another place that has a replica of its partition: the job is cleaned up where it is, and then runs there. A place
   * that is away holds nobody up. I1
   * @throws Rejected `absent`, `ending`, `unknown_partition`, `job_succeeded`, `job_failed`, `unknown_place`, `place_not_eligible`,
   *   `already_there`, `request_conflict`, `no_answer`
   */
  moveJob(ref: InstanceRef, partition: number, place: string, options: RequestOptions = {}): Promise<InstanceReading> {
    const { requestId: request = newRequestId() } = options;
    return this.#steer(ref, { kind: 'move', partition, place, request });
  }

  /** Tells an instance that its partitions have moved, so that it need not find out by itself. I1 @throws Rejected `absent` */
  look(ref: InstanceRef): Promise<void> {
    return this.#asked(ref, (handle) => handle.signal(LOOK_SIGNAL));
  }

  async #steer(ref: InstanceRef, steering: Steering): Promise<InstanceReading> {
    try {
      return await this.#asked(ref, (handle) =>
        handle.executeUpdate<InstanceReading, [Steering]>(STEER_UPDATE, { args: [steering] }),
      );
    } catch (thrown) {
      if (!(thrown instanceof WorkflowUpdateFailedError)) throw thrown;
      const { cause } = thrown;
      if (!(cause instanceof ApplicationFailure)) throw thrown;
      throw refusal(cause.type ?? 'refused', cause.message, ref, steering.kind);
    }
  }

  async #asked<T>(ref: InstanceRef, question: (handle: WorkflowHandle) => Promise<T>): Promise<T> {
    try {
      return await answerInTime(this.#client, distributedWorkflowId(nameOf(ref)), () => question(this.#handle(ref)));
    } catch (thrown) {
      throw thrown instanceof WorkflowNotFoundError ? absent(ref) : thrown;
    }
  }

  #handle(ref: InstanceRef): WorkflowHandle {
    return this.#client.workflow.getHandle(distributedWorkflowId(nameOf(ref)));
  }
}

type Described = Awaited<ReturnType<WorkflowHandle['describe']>>['raw'];
type Coordinating = (input: CoordinatorRunInput) => Promise<void>;
/** A start is checked by the target and the code of its type, in milliseconds. */
const STARTS_WITHIN_MS = 30_000;

/** A set that cannot be read stops here, before a workflow has to read it. */
function refuseUnreadable(partitions: PartitionSet, target: string, type: string): void {
  try {
    membersOf(partitions);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new StartRefused(target, type, { code: 'unknown_partition', message: thrown.message });
  }
}

/**
 * For how long an instance has worked, in milliseconds. Nothing while it stands: as long as any of its jobs waits for a lock or an
 * executor, no rate tells when it will end.
 */
export function workedMs(reading: DistributedReading, now: number): number | undefined {
  const { phase, paused, startedAt, pausedMs, lanes, blocked = [] } = reading;
  const waits = lanes.length > 0 && lanes.every(({ ended }) => ended === undefined);
  if (phase !== 'running' || paused || waits || blocked.length > 0) return undefined;
  return now - startedAt - pausedMs;
}

/** A reading, with what executors say of its lanes. */
export function withLanes(reading: InstanceReading, said: readonly LaneSays[]): DistributedReading {
  const lanes = reading.lanes.map((lane) => {
    const { lock: _, ...says } = said.find(({ number }) => number === lane.number) ?? {};
    return { ...lane, ...says };
  });
  const { all, succeeded, failed } = reading.jobs;
  const underWay = lanes.reduce((sum, { ended = 0, progress }) => sum + ended + fractionOf(progress), 0);
  // One that was cancelled or has failed may have left jobs undone.
  const isDone = reading.outcome === 'succeeded' && reading.endedAt !== undefined;
  const done = isDone ? 1 : all === 0 ? 0 : Math.min((succeeded + failed + underWay) / all, 1);
  return { ...reading, lanes, done };
}

function fractionOf(progress: unknown): number {
  const { done, total } = (progress ?? {}) as { readonly done?: unknown; readonly total?: unknown };
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? Math.min(done / total, 1) : 0;
}

function absent(ref: InstanceRef): Rejected {
  return refusal('absent', `There is no operation ${nameOf(ref)}.`, ref);
}

function unknownRequest(request: string, target: string): Rejected {
  const message = `No operation on ${target} is known that the request '${request}' started.`;
  return new Rejected({ code: 'absent', message, entity: coordinatorWorkflowId(target), event: '' });
}

function terminated(ref: InstanceRef): Rejected {
  return refusal(
    'terminated',
    `The workflow of ${nameOf(ref)} was terminated by an operator. Executors clean up its jobs.`,
    ref,
  );
}

function refusal(code: string, message: string, ref: InstanceRef, event = ''): Rejected {
  return new Rejected({ code, message, entity: distributedWorkflowId(nameOf(ref)), event });
}

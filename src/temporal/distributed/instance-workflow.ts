import {
  ActivityCancellationType,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  isCancellation,
  scheduleActivity,
  setHandler,
  TimeoutFailure,
  upsertSearchAttributes,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import {
  membersOf,
  newInstance,
  nextDue,
  readInstance,
  stateOf,
  stepInstance,
  verdictOf,
  type AnyDistributedOperation,
  type CallOutcome,
  type CompletionResult,
  type Instance,
  type InstanceEffect,
  type InstanceInput,
  type InstanceReading,
  type InstanceStart,
  type LaneResult,
  type LaneWork,
  type OperationTypes,
  type Placement,
  type Verdict,
} from '../../distributed/index.js';
import {
  CLEAN_ACTIVITY,
  COMPLETE_ACTIVITY,
  coordinatorWorkflowId,
  ENDED_SIGNAL,
  INSTANCE_QUERY,
  LANE_ACTIVITY,
  LOOK_SIGNAL,
  PLACEMENT_ACTIVITY,
  placeTaskQueue,
  STEER_UPDATE,
  TIDY_ACTIVITY,
  VERDICT_QUERY,
} from '../../protocol/distributed-names.js';
import { SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import type { RecordDriver } from '../../recording/driver.js';
import type { CarriedRecords } from '../../recording/record-outbox.js';
import { delivered } from '../delivery.js';
import { goOn } from '../go-on.js';
import { isUntaken } from '../make-call.js';
import { runOfThis } from '../run.js';
import { untilHolds } from '../until-holds.js';
import { InstanceTelling } from './instance-telling.js';
import { describeInstance } from './describe.js';
import { steeringProblem, type Steering } from './steering.js';

/** The input that a run of an instance is started with: at first what was admitted, later what the run before it knew. */
export type InstanceRunInput =
  { readonly start: InstanceStart } | { readonly instance: Instance; readonly told?: CarriedRecords };

const steerUpdate = defineUpdate<InstanceReading, [Steering]>(STEER_UPDATE);
const lookSignal = defineSignal(LOOK_SIGNAL);
const instanceQuery = defineQuery<Instance>(INSTANCE_QUERY);
const verdictQuery = defineQuery<Verdict, [number]>(VERDICT_QUERY);

/** A place at which nobody takes a clean-up within this time does it when its executor starts. I2 */
const TAKEN_WITHIN = '30s';
/** An executor that says nothing for so long has died. */
const SILENT = '10s';
/** A lane ends itself after a minute, between two jobs: this is for what hangs. */
const LONGEST_JOB = '7d';
const LONGEST_CALL = '1h';

/** One run of an instance's workflow. It completes with how the operation has ended. I3 */
export async function instanceWorkflow(
  input: InstanceRunInput,
  types: OperationTypes,
  records: RecordDriver,
): Promise<InstanceReading> {
  const { type } = 'start' in input ? input.start : input.instance.start;
  const operation = types.get(type);
  // A plain error fails the task and not the workflow, until workers with the type have started.
  if (!operation) throw new Error(`The workers of this task queue have no distributed operation '${type}'.`);
  const begun = 'start' in input ? newInstance(operation, input.start, runOfThis().clock.now()) : input.instance;
  const telling = new InstanceTelling(records, 'told' in input ? input.told : undefined);
  if ('start' in input) telling.begin(begun);
  const run = new InstanceRun(operation, begun, telling);
  // A cancel of the workflow, from Temporal's UI, is one of the operation: its clean-up and completion run.
  CancellationScope.current().cancelRequested.catch(() => run.take({ kind: 'cancel' }));
  return CancellationScope.nonCancellable(async () => {
    const end = await run.run();
    if (end.phase === 'ended') {
      await telling.leave();
      return readInstance(end);
    }
    telling.stop();
    const told = telling.carried();
    return goOn<InstanceRunInput>({ instance: end, ...(told && { told }) });
  });
}

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

class InstanceRun {
  readonly #run = runOfThis();
  readonly #operation: AnyDistributedOperation;
  readonly #lanes = new Map<number, CancellationScope>();
  readonly #telling: InstanceTelling;
  #instance: Instance;

  constructor(operation: AnyDistributedOperation, instance: Instance, telling: InstanceTelling) {
    this.#telling = telling;
    this.#operation = operation;
    this.#instance = instance;
    setHandler(instanceQuery, () => this.#instance, { description: 'The instance, as data.' });
    this.#run.details = () => describeInstance(readInstance(this.#instance));
    setHandler(verdictQuery, (number) => verdictOf(this.#instance, `${number}`));
    setHandler(lookSignal, () => this.take({ kind: 'look' }));
    setHandler(steerUpdate, (steering) => (this.take(steering), readInstance(this.#instance)), {
      validator: (steering) => {
        const now = Math.max(this.#instance.now, this.#run.clock.now());
        const problem = steeringProblem(operation, { ...this.#instance, now }, steering);
        if (problem) throw ApplicationFailure.nonRetryable(problem.message, problem.code);
      },
    });
  }

  /** Runs until it has ended, or nothing is under way and the next run can go on. */
  async run(): Promise<Instance> {
    this.take({ kind: 'begin' });
    void this.#telling.keep(() => this.#instance.draining === true && this.#isQuiet);
    for (;;) {
      const { phase, draining } = this.#instance;
      if (phase === 'ended' || this.#mayHandOver()) {
        await this.#run.clock.until(untilHolds(undefined), allHandlersFinished);
        return this.#instance;
      }
      if (!draining && this.#run.isOver) this.take({ kind: 'drain' });
      await this.#untilSomethingIsDue();
    }
  }

  take(input: Untimed<InstanceInput>): void {
    const before = this.#instance;
    const timed = { ...input, at: this.#run.clock.now() } as InstanceInput;
    const { instance, effects, told } = stepInstance(this.#operation, before, timed);
    this.#instance = instance;
    this.#telling.note(before, instance, told);
    this.#telling.offer();
    for (const effect of effects) void this.#carryOut(effect);
    this.#show();
  }

  async #untilSomethingIsDue(): Promise<void> {
    const due = nextDue(this.#instance);
    const isOver = () => {
      const { phase, draining } = this.#instance;
      const drains = !draining && this.#run.isOver;
      return phase === 'ended' || drains || this.#mayHandOver() || nextDue(this.#instance) !== due;
    };
    const left = due === undefined ? undefined : due - this.#run.clock.now();
    if (left !== undefined && left <= 0) return this.take({ kind: 'due' });
    const met = await this.#run.clock.until(untilHolds('the next look or try'), isOver, left);
    if (!met) this.take({ kind: 'due' });
  }

  #mayHandOver(): boolean {
    const { draining } = this.#instance;
    return draining === true && this.#isQuiet && this.#run.isOldEnough && this.#telling.mayEndRun;
  }

  get #isQuiet(): boolean {
    const { lanes, calls } = this.#instance;
    return Object.keys(lanes).length === 0 && Object.keys(calls).length === 0;
  }

  async #carryOut(effect: InstanceEffect): Promise<void> {
    const { number } = effect;
    if (effect.kind === 'stop') return this.#lanes.get(number)?.cancel();
    const outcome = effect.kind === 'lane' ? await this.#lane(effect.work) : await callOutcome(effect);
    this.take({ kind: 'answer', number, outcome });
  }

  async #lane(work: LaneWork): Promise<CallOutcome> {
    const scope = new CancellationScope();
    this.#lanes.set(work.number, scope);
    const { jobs } = work;
    try {
      const result = await scope.run(() =>
        scheduleActivity<LaneResult>(LANE_ACTIVITY, [work], {
          ...atPlace(work.place),
          startToCloseTimeout: LONGEST_JOB,
          // It is told that it should ask, and answers what it has done.
          cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
          summary: `${jobs.length === 1 ? `partition ${jobs[0]!.partition}` : `${jobs.length} partitions`} at ${work.place}`,
        }),
      );
      return { kind: 'lane', result };
    } catch (thrown) {
      const failure = isCancellation(thrown) ? undefined : applicationFailureIn(thrown);
      if (!failure) return { kind: 'lost', ...atHandIn(thrown) };
      // The executor lives, and cannot do them now: each of them is an attempt.
      const { message } = failure;
      const later = jobs.map(({ partition }) => ({ partition, error: true, message }));
      return { kind: 'lane', result: { succeeded: '', later, ran: { from: 0, jobs: [] } } };
    } finally {
      this.#lanes.delete(work.number);
    }
  }

  #show(): void {
    const reading = readInstance(this.#instance);
    const state = stateOf(reading);
    const { outcome } = reading;
    const shown = workflowInfo().searchAttributes;
    if (shown[SEARCH_ATTRIBUTES.state]?.[0] === state && shown[SEARCH_ATTRIBUTES.outcome]?.[0] === outcome) return;
    upsertSearchAttributes({
      [SEARCH_ATTRIBUTES.state]: [state],
      [SEARCH_ATTRIBUTES.outcome]: outcome ? [outcome] : [],
    });
  }
}

type CallEffect = Exclude<InstanceEffect, { kind: 'lane' | 'stop' }>;

async function callOutcome(effect: CallEffect): Promise<CallOutcome> {
  try {
    return await called(effect);
  } catch (thrown) {
    if (isUntaken(thrown)) return { kind: 'lost' };
    const failure = applicationFailureIn(thrown);
    // An executor that has died says nothing, and neither does the worker of a call that is run again.
    return failure ? { kind: 'error', message: failure.message } : { kind: 'lost' };
  }
}

async function called(effect: CallEffect): Promise<CallOutcome> {
  switch (effect.kind) {
    case 'clean': {
      const { work } = effect;
      const summary = `clean up ${membersOf(work.partitions).length} at ${work.place}`;
      await scheduleActivity(CLEAN_ACTIVITY, [work], { ...inTimeAtPlace(work.place), summary });
      return { kind: 'done' };
    }
    case 'tidy': {
      const { work } = effect;
      await scheduleActivity(TIDY_ACTIVITY, [work], { ...inTimeAtPlace(work.place), summary: `tidy up ${work.place}` });
      return { kind: 'done' };
    }
    case 'place': {
      const found = await scheduleActivity<Placement | null>(PLACEMENT_ACTIVITY, [effect.target], {
        startToCloseTimeout: '10s',
        retry: { maximumAttempts: 1 },
        summary: 'who holds which partition',
      });
      return { kind: 'placement', placement: found ?? undefined };
    }
    case 'complete': {
      const result = await scheduleActivity<CompletionResult>(COMPLETE_ACTIVITY, [effect.work], {
        startToCloseTimeout: LONGEST_CALL,
        heartbeatTimeout: SILENT,
        retry: { maximumAttempts: 1 },
        summary: effect.work.completing.outcome,
      });
      return { kind: 'completed', result };
    }
    case 'leave': {
      const { type, instance, target } = effect.of;
      const ended = { type, instance, starts: effect.starts };
      await delivered(() => getExternalWorkflowHandle(coordinatorWorkflowId(target)).signal(ENDED_SIGNAL, ended));
      return { kind: 'done' };
    }
  }
}

function atPlace(place: string): ActivityOptions {
  const taskQueue = placeTaskQueue(workflowInfo().taskQueue, place);
  return { taskQueue, heartbeatTimeout: SILENT, retry: { maximumAttempts: 1 } };
}

function inTimeAtPlace(place: string): ActivityOptions {
  return { ...atPlace(place), scheduleToStartTimeout: TAKEN_WITHIN, startToCloseTimeout: LONGEST_CALL };
}

/** The job that the executor of a lane said last that it is at. */
function atHandIn(thrown: unknown): { readonly atHand?: number } {
  const { cause } = thrown as { readonly cause?: unknown };
  if (!(cause instanceof TimeoutFailure)) return {};
  const { partition } = (cause.lastHeartbeatDetails ?? {}) as { readonly partition?: unknown };
  return typeof partition === 'number' ? { atHand: partition } : {};
}

function applicationFailureIn(thrown: unknown): ApplicationFailure | undefined {
  const { cause } = thrown as { readonly cause?: unknown };
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/*
 * An instance takes one input after the other. What it wants of the world is what its data says is under way: so that a new
 * coordinator, which has the data alone, wants the same. I3, I6
 */
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import type { InstanceStart } from '../coordinator/coordinator.js';
import { NO_PARTITIONS } from '../partitions/partition-set.js';
import { callAnswered } from './call-answer.js';
import { proceeding } from './call-retries.js';
import type { InstanceEffect } from './effect.js';
import type { CallOutcome, InstanceInput } from './input.js';
import type { Instance } from './instance.js';
import { requested } from './job-requests.js';
import { laneTold, toldBy, type JobsTold } from './telling.js';
import { laneEnded } from './lane-answer.js';
import { lanesOf } from './jobs.js';
import { goOn } from './phases.js';
import { effectOf } from './under-way.js';
import { shouldLook } from './verdict.js';

const AT_ONCE = 8;

/**
 * Makes an operation that begins.
 * @param at the time, in milliseconds since 1970
 */
export function newInstance(operation: AnyDistributedOperation, start: InstanceStart, at: number): Instance {
  return {
    ...{ start, phase: 'running', pausedMs: 0, numbered: 0, lookAt: at, startedAt: at, now: at },
    partitions: start.partitions ?? NO_PARTITIONS,
    ...{ succeeded: NO_PARTITIONS, succeededAt: {}, failed: NO_PARTITIONS, reopened: NO_PARTITIONS },
    ...{
      results: {},
      begun: {},
      owed: {},
      assignments: {},
      places: [],
      lanes: {},
      calls: {},
      tidied: [],
      progress: {},
      troubles: {},
      tried: {},
      retries: {},
    },
    ...{ resultCharacters: 0, resultsLeftOut: 0, restarts: 0, rounds: 0, starts: [] },
    atOnce: start.atOnce ?? operation.atOnce ?? AT_ONCE,
  };
}

/** The result of an input. */
export interface InstanceStep {
  readonly instance: Instance;
  readonly effects: readonly InstanceEffect[];
  /** The jobs of which the store is told. S5.1 */
  readonly told?: JobsTold;
}

/** Takes an input: gives the next instance, and what is to be done. */
export function stepInstance(operation: AnyDistributedOperation, before: Instance, input: InstanceInput): InstanceStep {
  const timed: Instance = { ...before, now: Math.max(before.now, input.at) };
  const instance = goOn(operation, taken(operation, timed, input));
  const begun = [...Object.keys(instance.lanes), ...Object.keys(instance.calls)].filter(
    (number) => Number(number) > before.numbered,
  );
  const stops = lanesOf(instance).filter(([number]) => shouldLook(instance, number) && !shouldLook(before, number));
  const told = toldBy(operation, before, instance, input);
  return {
    instance,
    ...(told && { told }),
    effects: [
      ...begun.map((number) => effectOf(instance, number)),
      ...stops.map(([number]) => ({ kind: 'stop', number: Number(number) }) as const),
    ],
  };
}

function taken(operation: AnyDistributedOperation, instance: Instance, input: InstanceInput): Instance {
  switch (input.kind) {
    case 'begin': {
      const { draining: _, ...begun } = instance;
      return begun;
    }
    case 'due':
      return instance;
    case 'drain':
      return { ...instance, draining: true };
    case 'look':
      return { ...instance, lookAt: instance.now };
    case 'answer':
      return answered(operation, instance, `${input.number}`, input.outcome);
    case 'pause':
      return { ...pausing(instance), pausedAt: instance.pausedAt ?? instance.now };
    case 'resume':
      return resumed(instance);
    case 'limit':
      return limited(instance, input);
    case 'proceed':
      return proceeding(instance);
    case 'retry':
    case 'move':
      return requested(operation, instance, input);
    case 'cancel':
      return instance.phase === 'running'
        ? { ...instance, phase: 'stopping', outcome: 'cancelled', reason: input.reason ?? 'it was canceled' }
        : instance;
  }
}

function answered(operation: AnyDistributedOperation, instance: Instance, number: string, outcome: CallOutcome) {
  if (!(number in instance.lanes)) return callAnswered(operation, instance, number, outcome);
  const { tried, restarts } = laneTold(operation, instance, number, outcome);
  const result = outcome.kind === 'lane' ? outcome.result : { succeeded: NO_PARTITIONS };
  return { ...laneEnded(operation, instance, number, result), tried, restarts: instance.restarts + restarts };
}

/** Lanes end as soon as they can; those after the first so many, where some may go on. */
function pausing(instance: Instance, goingOn = 0): Instance {
  const lanes = lanesOf(instance).map(
    ([number, lane], place) => [number, place < goingOn ? lane : { ...lane, pausing: true }] as const,
  );
  return { ...instance, lanes: Object.fromEntries(lanes) };
}

function resumed({ pausedAt, ...instance }: Instance): Instance {
  const { now } = instance;
  return { ...instance, pausedMs: instance.pausedMs + now - (pausedAt ?? now), lookAt: now };
}

function limited(
  instance: Instance,
  { atOnce = instance.atOnce, perSecond }: { readonly atOnce?: number; readonly perSecond?: number },
): Instance {
  const limit = { atOnce, ...(perSecond !== undefined && { perSecond }) };
  // A lane knows how fast it may be from its beginning.
  return { ...pausing(instance, perSecond === undefined ? atOnce : 0), ...limit };
}

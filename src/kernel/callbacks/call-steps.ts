/*
 * The calls of the running action, as steps that people can see. A2
 *
 * call-steps.1. Only so many steps are listed, the latest ones. The others are counted.
 * call-steps.2. An action that goes on in another run goes on with its steps.
 * call-steps.3. What was made again, since a worker was lost, is counted for the step and for its event, also where it fails then.
 *     S5.1
 */
import type { CallStep, CallSteps } from '../../protocol/call-step.js';
import { toErrorRecord } from '../../protocol/errors.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { cut } from '../../definition/thrown.js';
import { unchained } from '../rules/chain.js';

/** How many steps are listed. */
const LISTED = 100;
/** How much of a message is shown, in characters. */
const MESSAGE_CHARACTERS = 300;

type Begun = Pick<CallStep, 'place' | 'call' | 'mode'>;
interface Ended {
  /** Holds what a call has thrown, where it has failed. */
  readonly thrown?: unknown;
  /** Tells whether the action itself has ended it, since it had what it wanted. */
  readonly superseded?: boolean;
}

/** A call begins. */
export function beginStep(snapshot: Snapshot, begun: Begun, now: number): Snapshot {
  return change(snapshot, (calls) => {
    // An action that goes on in another run waits on for the same answer. call-steps.2
    if (calls.steps.some(({ place }) => place === begun.place)) return calls;
    const step: CallStep = { ...begun, startedAt: now };
    if (calls.steps.length < LISTED) return { ...calls, steps: [...calls.steps, step] };
    const omitted = (calls.omitted ?? 0) + 1;
    const oldest = calls.steps.findIndex(({ endedAt }) => endedAt !== undefined);
    if (oldest < 0) return { ...calls, omitted };
    return { ...calls, steps: [...calls.steps.filter((_, index) => index !== oldest), step], omitted };
  });
}

/** The calls of resources that are under way. Those that are answered from outside are among what the action awaits. */
export function callsUnderWay({ running }: Snapshot): readonly CallStep[] {
  return (running?.calls?.steps ?? []).filter(({ mode, endedAt }) => mode !== 'callback' && endedAt === undefined);
}

/** A call has been answered, or has failed. Unless it was inline or superseded, something has come from outside. chain.2 */
export function endStep(snapshot: Snapshot, place: number, now: number, end: Ended = {}): Snapshot {
  const mode = snapshot.running?.calls?.steps.find((step) => step.place === place)?.mode;
  return change(mode === 'inline' || end.superseded ? snapshot : unchained(snapshot, now), (calls) => ({
    ...calls,
    steps: calls.steps.map((step) => (step.place === place ? { ...step, endedAt: now, ...whatCame(end) } : step)),
  }));
}

/** A call was made again, since a worker was lost in the middle of it. call-steps.3 */
export function noteRestarts(snapshot: Snapshot, place: number, restarts: number): Snapshot {
  if (restarts === 0) return snapshot;
  const last = snapshot.engagements.length - 1;
  const engagements = snapshot.engagements.map((each, index) =>
    index === last ? { ...each, restarts: (each.restarts ?? 0) + restarts } : each,
  );
  return change({ ...snapshot, engagements }, (calls) => ({
    ...calls,
    steps: calls.steps.map((step) => (step.place === place ? { ...step, restarts } : step)),
  }));
}

/** Some calls of a collector wait for their turn. */
export function queueSteps(snapshot: Snapshot, more: number): Snapshot {
  if (more === 0) return snapshot;
  return change(snapshot, ({ queued: before = 0, ...calls }) => {
    const queued = before + more;
    return { ...calls, ...(queued > 0 && { queued }) };
  });
}

/** The collectors of an action that goes on in another run begin anew. call-steps.2 */
export function unqueueSteps(snapshot: Snapshot): Snapshot {
  return change(snapshot, ({ queued: _, ...calls }) => calls);
}

function whatCame(end: Ended): Pick<CallStep, 'error'> {
  if (!('thrown' in end)) return {};
  const { code, message } = toErrorRecord(end.thrown);
  return { error: { code, message: cut(message, MESSAGE_CHARACTERS) } };
}

function change(snapshot: Snapshot, by: (calls: CallSteps) => CallSteps): Snapshot {
  const { running } = snapshot;
  if (!running) return snapshot;
  const calls = by(running.calls ?? { steps: [] });
  return { ...snapshot, running: { ...running, calls } };
}

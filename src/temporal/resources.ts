import {
  activityInfo,
  ApplicationFailure,
  cancellationDetails,
  cancellationSignal,
  heartbeat,
} from '@temporalio/activity';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { DEFAULT_TIMEOUT_MS, heartbeatOf, timeoutOf } from '../definition/call-times.js';
import type { Affinity } from '../definition/affinity.js';
import type { AnswerAddress } from '../definition/answer-address.js';
import { withdrawalOf, type CallShape, type Resource } from '../definition/resource.js';
import { asDeclared } from '../definition/duration.js';
import type { CallAnswer } from '../kernel/index.js';
import type { CallbackQuestion, WithdrawalReason } from '../protocol/callback.js';
import { checkedOutput } from '../protocol/checked-output.js';
import { ResourceError, toErrorRecord } from '../protocol/errors.js';
import { addressOf, type CallbackAddress, type CallbackSettings } from './callback-address.js';
import type { CallEnvelope, FailureDetail } from './call-envelope.js';
import { callOf, runCall } from './current-call.js';
import { lossesBefore, refuseAnotherLoss, type Beat } from './losses.js';
import { withinLimit } from './time-limit.js';
import { holdOf, watchLoop, type Hold } from './watch/loop-watch.js';
import { plain } from '../protocol/carried.js';
import { describeIssues, schemaProblems } from '../protocol/schema-problems.js';

/** Describes what a provider gets beside the call's input. */
export interface CallContext {
  /** The same on every execution of the same call. S3.4 */
  readonly idempotencyKey: string;
  /** The operation that the call belongs to: its request id. S4.8 */
  readonly operation?: string;
  /** The number of this execution of the call; above 1 after a worker was lost. */
  readonly attempt: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /**
   * The address that an action has made by `app.answerBy` and has put into the input: `POST` it `{ "output": ... }` with the parameters
   * of the event. A2
   */
  addressOf(address: AnswerAddress): CallbackAddress;
  /**
   * Names this start of this worker. An output that carries it lets later calls run here: `app.call(call, input, { on })`. A5
   * @throws ResourceError where the worker was made without `affinity: true`
   */
  affinity(): Affinity;
  /** Shows what the last execution of this call has noted by `heartbeat`, when its worker was lost or stopped. */
  readonly progress?: unknown;
  /**
   * Tells at once that the worker lives, which is also told regularly by itself. `progress`, plain JSON, is noted for the next
   * execution, in case this one is cut off.
   */
  heartbeat(progress?: unknown): void;
}

/** Describes what the provider of a call is told that is answered from outside. A1 */
export interface AskContext extends CallContext {
  /** Shows where the answer is to be sent: `POST` it as `{ "output": ... }` or `{ "error": { "code", "message" } }`. */
  readonly callback: CallbackAddress;
}

/** Describes what a provider is told of a question that was closed without an answer. A3 */
export interface WithdrawContext extends CallContext {
  /** Shows which of the questions of this call: its `callback.id`. A later attempt may have asked another one meanwhile. */
  readonly question: string;
  readonly reason: WithdrawalReason;
}

/**
 * The code of a call of a resource. One that is answered by callback asks, and gives nothing. Where it is declared with `withdraw`, it
 * also takes back what it has asked: at least once for each question, also for one that has come to nobody.
 */
export type CallImplementation<C extends CallShape> = C extends { readonly answer: 'callback'; readonly withdraw: true }
  ? {
      readonly ask: (input: z.output<C['input']>, context: AskContext) => Promise<void>;
      readonly withdraw: (input: z.output<C['input']>, context: WithdrawContext) => Promise<void>;
    }
  : C extends { readonly answer: 'callback' }
    ? (input: z.output<C['input']>, context: AskContext) => Promise<void>
    : (input: z.output<C['input']>, context: CallContext) => Promise<z.input<C['output']>>;

/** Describes what the calls of a resource do. */
export type ResourceImplementation<R extends Resource> = {
  readonly [C in keyof R['calls']]: CallImplementation<R['calls'][C]>;
};

/** Describes what a resource call knows of the worker that makes it. */
export interface CallSurroundings {
  readonly callbacks?: CallbackSettings | undefined;
  readonly affinity?: Affinity | undefined;
}

/** The activities of a resource, by type: `databases.createInstance`. */
export type ImplementedResource = Readonly<
  Record<string, (envelope: CallEnvelope, worker?: CallSurroundings) => Promise<unknown>>
>;

/** Makes activities of a resource's calls: input and output checked, heartbeats sent, errors with their codes. */
export function implementResource<R extends Resource>(
  resource: R,
  implementation: ResourceImplementation<R>,
): ImplementedResource {
  const activities = Object.entries(resource.calls).flatMap(([name, shape]) => {
    const type = `${resource.name}.${name}`;
    const code = implementation[name] as ProviderCode | undefined;
    const { ask, withdraw } = typeof code === 'function' ? { ask: code } : (code ?? {});
    if (!ask) throw new TypeError(`Resource '${resource.name}': the call '${name}' is declared and has no code.`);
    if ((withdraw !== undefined) !== (shape.withdraw === true)) {
      const problem = withdraw
        ? "has 'withdraw', and does not declare it"
        : "declares 'withdraw', and has no code for it";
      throw new TypeError(`Resource '${resource.name}': the call '${name}' ${problem}.`);
    }
    const asks = [type, activity(shape, ask)] as const;
    return withdraw ? [asks, [withdrawalOf(type), withdrawal(shape, withdraw)] as const] : [asks];
  });
  return Object.defineProperty(Object.fromEntries(activities), CONTRACT, { value: resource });
}

/** Where the activities of a resource keep its contract: beside them, and known to every copy of this module. */
const CONTRACT = Symbol.for('reeve.contract');

/** The contract that the activities of a resource serve. */
export function contractOf(implemented: ImplementedResource): Resource | undefined {
  return (implemented as { readonly [CONTRACT]?: Resource })[CONTRACT];
}

/** @throws ResourceError where the worker was not told how it is reached */
function addressFor(question: CallbackQuestion | undefined, callbacks: CallbackSettings | undefined): CallbackAddress {
  if (callbacks && question) return addressOf(callbacks, question);
  throw new ResourceError(
    'no_callback_address',
    `The call is answered from outside, but this worker has no callback address. Pass 'callbacks': { url, keys } to createWorker.`,
  );
}

/** Temporal gives the call to another worker, for as long as the action waits for it. */
function begunOtherwise(): ApplicationFailure {
  return ApplicationFailure.retryable(
    `The call was started before it was declared with answer: 'callback', and this worker has only the new declaration. Start a worker ` +
      'with the earlier declaration, or abort the action.',
    'begun_otherwise',
  );
}

/** @throws ResourceError */
function withoutAffinity(): never {
  throw new ResourceError(
    'no_affinity',
    `The call asked for the affinity of its worker, which has none. Make the worker by createWorker({ ..., affinity: true }).`,
  );
}

type ProviderCall = (input: unknown, context: CallContext) => Promise<unknown>;
type ProviderCode = ProviderCall | { readonly ask: ProviderCall; readonly withdraw?: ProviderCall };

type Activity = ImplementedResource[string];

function activity(shape: CallShape, run: ProviderCall): Activity {
  return async (envelope, surroundings): Promise<CallAnswer> => {
    const restarts = activityInfo().attempt - 1;
    // A worker of the version before, or of the next one, makes it in its own way. A7
    if (shape.answer === 'callback' && !envelope.question) throw begunOtherwise();
    try {
      return await perform(shape, envelope, surroundings, async (input, context) => {
        if (shape.answer === 'callback') {
          const asking: AskContext = { ...context, callback: addressFor(envelope.question, surroundings?.callbacks) };
          await run(input, asking);
          return { restarts };
        }
        const giver = `The provider of '${activityInfo().activityType}'`;
        return { output: checkedOutput(shape, await run(input, context), giver), restarts };
      });
    } catch (thrown) {
      // The state machine decides on attempts, so Temporal does not: it only repeats what a lost or stopped worker left undone.
      throw failure(thrown, !isCutOff(), restarts);
    }
  };
}

function withdrawal(shape: CallShape, run: ProviderCall): Activity {
  // The entity knows the calls by their names alone here, and so nothing of their settings.
  const told: CallShape = { ...shape, timeout: DEFAULT_TIMEOUT_MS, heartbeat: heartbeatOf() };
  return async (envelope, surroundings) => {
    try {
      await perform(told, envelope, surroundings, (input, context) => {
        const { id, reason } = envelope.withdrawn!;
        const withdrawing: WithdrawContext = { ...context, question: id, reason };
        return run(input, withdrawing);
      });
    } catch (thrown) {
      // No action waits for this, so Temporal tries it again.
      throw failure(thrown, false);
    }
  };
}

/** Lets a provider work on its input, with heartbeats. @throws ResourceError and what the provider throws */
async function perform<T>(
  shape: CallShape,
  { input, idempotencyKey, operation }: CallEnvelope,
  { callbacks, affinity }: CallSurroundings = {},
  run: (input: unknown, context: CallContext) => Promise<T>,
): Promise<T> {
  const info = activityInfo();
  const { attempt } = info;
  const call = callOf(info, idempotencyKey);
  const last = info.heartbeatDetails as Beat | undefined;
  const before = last?.progress;
  let noted: Beat = { ...(before !== undefined && { progress: before }), losses: lossesBefore(attempt, last) };
  // Three beats in each period, so that one which comes late does no harm. Each says what was noted last: a beat that says nothing
  // would make Temporal forget it.
  const beat = setInterval(() => heartbeat(noted), heartbeatOf(shape) / 3);
  const limit = new AbortController();
  try {
    // Temporal has not waited for the answer of that execution. loop-watch.2
    const lost = holdOf(call);
    const silentMs = heartbeatOf(shape);
    if (lost && lost.ms >= silentMs) throw heldUp(lost, `and may be silent for ${asDeclared(silentMs)}`);
    refuseAnotherLoss(noted.losses);
    if (noted.losses > 0) {
      // The provider may end the process at once, and the next execution has to know of this one.
      heartbeat(noted);
      await setImmediate();
    }
    const context: CallContext = {
      idempotencyKey,
      ...(operation !== undefined && { operation }),
      attempt,
      ...(before !== undefined && { progress: before }),
      signal: AbortSignal.any([cancellationSignal(), limit.signal]),
      heartbeat: (progress) => {
        if (progress !== undefined) noted = { progress: progressToNote(progress), losses: 0 };
        heartbeat(noted);
      },
      addressOf: (address) => addressFor(address, callbacks),
      affinity: () => affinity ?? withoutAffinity(),
    };
    const parsed = shape.input.safeParse(input);
    if (!parsed.success) {
      throw new ResourceError('invalid_input', `Its input is not right: ${schemaProblems(parsed.error)}.`);
    }
    const limitMs = timeoutOf(shape);
    watchLoop();
    const startedAt = performance.now();
    const work = runCall(call, () => run(parsed.data, context));
    const answer = withinLimit(limitMs, work, () => {
      const late = timedOut(limitMs);
      limit.abort(late);
      return late;
    });
    return await answer.finally(() => {
      // Its own standing still counts, in contrast to that of others.
      const hold = performance.now() - startedAt >= limitMs ? holdOf(call) : undefined;
      if (hold) throw heldUp(hold, `and the call's 'timeout' is ${asDeclared(limitMs)}`);
    });
  } catch (thrown) {
    if (isCutOff()) heartbeat({ ...noted, stopped: true });
    throw thrown;
  } finally {
    clearInterval(beat);
  }
}

function timedOut(limitMs: number): ResourceError {
  return new ResourceError(
    'call_timed_out',
    `The provider did not answer within ${asDeclared(limitMs)}, the call's 'timeout'. The attempt may still take effect: the next attempt has ` +
      'the same idempotency key.',
  );
}

function heldUp({ at, ms }: Hold, than: string): ResourceError {
  return new ResourceError(
    'call_timed_out',
    `The provider held up its whole worker for ${Math.round(ms / 1_000)} s, ${than}. It was at ${at}. Let it await what takes long, or ` +
      'move it to a worker thread or a separate process.',
  );
}

/** @throws ResourceError where the progress is no JSON: the next worker could not read it */
function progressToNote(progress: unknown): unknown {
  const checked = plain(progress, 'progress');
  if (checked.valid) return checked.value;
  throw new ResourceError('unstorable_value', `Its progress cannot be noted: ${describeIssues(checked.issues)}`);
}

/** Tells whether the call ends only because its worker does. */
function isCutOff(): boolean {
  return cancellationSignal().aborted && cancellationDetails()?.workerShutdown === true;
}

function failure(thrown: unknown, nonRetryable: boolean, restarts = 0): ApplicationFailure {
  const { code, message, stack, retryAfterMs } = toErrorRecord(thrown);
  const detail: FailureDetail = {
    stack,
    ...(restarts > 0 && { restarts }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return ApplicationFailure.create({ type: code, message, nonRetryable, details: [detail] });
}

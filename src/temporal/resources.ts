import { activityInfo, cancellationSignal, heartbeat, ApplicationFailure } from '@temporalio/activity';
import type { z } from 'zod';
import { toMilliseconds } from '../definition/duration.js';
import type { Affinity } from '../definition/affinity.js';
import type { AnswerAddress } from '../definition/answer-address.js';
import type { CallShape, Resource } from '../definition/resource.js';
import type { CallAnswer } from '../kernel/index.js';
import type { CallbackQuestion } from '../protocol/callback.js';
import { ResourceError, toErrorRecord } from '../protocol/errors.js';
import { addressOf, type CallbackAddress, type CallbackSettings } from './callback-address.js';
import { DEFAULT_HEARTBEAT, type CallEnvelope } from './call-envelope.js';

/** What a provider gets beside the call's input. */
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
  /** Tells at once that the worker lives. That is also told regularly by itself. */
  heartbeat(): void;
}

/** What the provider of a call is told that is answered from outside. A1 */
export interface AskContext extends CallContext {
  /** Where the answer is to be sent: `POST` it as `{ "output": ... }` or `{ "error": { "code", "message" } }`. */
  readonly callback: CallbackAddress;
}

/** What the calls of a resource do. Of those that are answered by callback: they ask, and give nothing. */
export type ResourceImplementation<R extends Resource> = {
  readonly [C in keyof R['calls']]: R['calls'][C] extends { readonly answer: 'callback' }
    ? (input: z.output<R['calls'][C]['input']>, context: AskContext) => Promise<void>
    : (input: z.output<R['calls'][C]['input']>, context: CallContext) => Promise<z.input<R['calls'][C]['output']>>;
};

/** What a resource call knows of the worker that makes it. */
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
  const activities = Object.entries(resource.calls).map(([name, shape]) => {
    const run = implementation[name];
    if (!run) throw new TypeError(`Resource '${resource.name}': the call '${name}' is declared and has no code.`);
    return [`${resource.name}.${name}`, activity(shape, run as ProviderCall)] as const;
  });
  return Object.fromEntries(activities);
}

/** @throws ResourceError where the worker was not told how it is reached */
function addressFor(question: CallbackQuestion | undefined, callbacks: CallbackSettings | undefined): CallbackAddress {
  if (callbacks && question) return addressOf(callbacks, question);
  throw new ResourceError(
    'no_callback_address',
    `The call is answered from outside, and this worker does not know by which address. Give createWorker 'callbacks': { url, keys }.`,
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

function activity(shape: CallShape, run: ProviderCall) {
  return async (envelope: CallEnvelope, { callbacks, affinity }: CallSurroundings = {}): Promise<CallAnswer> => {
    const { input, idempotencyKey, operation } = envelope;
    // Three beats in each period, so that one which comes late does no harm.
    const beat = setInterval(heartbeat, toMilliseconds(shape.heartbeat ?? DEFAULT_HEARTBEAT) / 3);
    try {
      const context: CallContext = {
        idempotencyKey,
        ...(operation !== undefined && { operation }),
        attempt: activityInfo().attempt,
        signal: cancellationSignal(),
        heartbeat: () => heartbeat(),
        addressOf: (address) => addressFor(address, callbacks),
        affinity: () => affinity ?? withoutAffinity(),
      };
      const parsed = shape.input.safeParse(input);
      if (!parsed.success) throw new ResourceError('invalid_input', parsed.error.message);
      const restarts = activityInfo().attempt - 1;
      if (shape.answer === 'callback') {
        const asking: AskContext = { ...context, callback: addressFor(envelope.question, callbacks) };
        await run(parsed.data, asking);
        return { restarts };
      }
      const output = shape.output.safeParse(await run(parsed.data, context));
      if (!output.success) throw new ResourceError('invalid_output', output.error.message);
      const answer: CallAnswer = { output: output.data, restarts };
      return answer;
    } catch (thrown) {
      // The state machine decides on attempts, so Temporal does not: it only repeats what a lost worker left undone.
      const { code, message, stack } = toErrorRecord(thrown);
      throw ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [{ stack }] });
    } finally {
      clearInterval(beat);
    }
  };
}

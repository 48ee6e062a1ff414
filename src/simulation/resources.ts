import type { z } from 'zod';
import type { Affinity } from '../definition/affinity.js';
import type { AnswerAddress } from '../definition/answer-address.js';
import type { CallbackAnswer, WithdrawalReason } from '../protocol/callback.js';
import type { Call, CallShape, Resource } from '../definition/resource.js';
import { checkedOutput } from '../protocol/checked-output.js';
import { ResourceError, toErrorRecord } from '../protocol/errors.js';
import type { CommandAnswer } from './history.js';
import { schemaProblems } from '../protocol/schema-problems.js';

/** Describes what a fake gets beside the call's input. */
export interface FakeContext {
  /** The same on every execution of the same call. S3.4 */
  readonly idempotencyKey: string;
  /** The number of this execution of the call; above 1 after an answer was lost. */
  readonly attempt: number;
  /** Names the worker that makes this call, until it dies. A5 */
  affinity(): Affinity;
  /** Answers at an address of the input, so many milliseconds of virtual time from now (default 0). A2 */
  answerAt(address: AnswerAddress, answer: CallbackAnswer, afterMs?: number): void;
}

/** All that a fake is told of a call that is answered from outside. A1 */
export interface FakeAskContext<Output = unknown> extends FakeContext {
  /** Sends an answer, so many milliseconds of virtual time from now (default 0): as often and as late as you like. */
  answer(
    answer: { readonly output: Output } | { readonly error: { readonly code: string; readonly message: string } },
    afterMs?: number,
  ): void;
}

/** All that a fake is told of a question that was closed without an answer. A3 */
export interface FakeWithdrawContext extends FakeContext {
  /** Which of the questions of this call. */
  readonly question: string;
  readonly reason: WithdrawalReason;
}

type Gives<T> = Promise<T> | T;
type Asks<C extends CallShape> = (
  input: z.output<C['input']>,
  context: FakeAskContext<z.input<C['output']>>,
) => Gives<void>;

/** The behaviour of a call in a simulation. */
export type FakeCallOf<C extends CallShape> = C extends { readonly answer: 'callback'; readonly withdraw: true }
  ? {
      readonly ask: Asks<C>;
      readonly withdraw: (input: z.output<C['input']>, context: FakeWithdrawContext) => Gives<void>;
    }
  : C extends { readonly answer: 'callback' }
    ? Asks<C>
    : (input: z.output<C['input']>, context: FakeContext) => Gives<z.input<C['output']>>;

/**
 * Describes what the calls of a resource do in a simulation. They may throw `ResourceError`, and must not wait for real time. Those that
 * are answered by callback give nothing; they may answer by `context.answer`, or a test does by `Simulation.answer`.
 */
export type FakeCalls<R extends Resource> = {
  readonly [C in keyof R['calls']]: FakeCallOf<R['calls'][C]>;
};

type FakeCall = (input: unknown, context: FakeContext & Partial<FakeAskContext>) => unknown;
type FakeWithdrawal = (input: unknown, context: FakeWithdrawContext) => unknown;

interface FakeCode {
  readonly shape: CallShape;
  readonly perform: FakeCall;
  readonly withdraw?: FakeWithdrawal | undefined;
}

/** A resource as a simulation carries it out. */
export interface FakeResource {
  readonly resource: Resource;
  readonly calls: ReadonlyMap<string, FakeCode>;
}

/** Gives each call of a resource its code in simulations. Input and output are checked as in production. */
export function fakeResource<R extends Resource>(resource: R, fakes: FakeCalls<R>): FakeResource {
  const calls = Object.entries(resource.calls).map(([name, shape]) => {
    const fake = fakes[name] as FakeCall | { readonly ask: FakeCall; readonly withdraw: FakeWithdrawal } | undefined;
    if (!fake) throw new TypeError(`Resource '${resource.name}': the call '${name}' is declared and has no fake.`);
    const code = typeof fake === 'function' ? { perform: fake } : { perform: fake.ask, withdraw: fake.withdraw };
    if (shape.withdraw && !code.withdraw)
      throw new TypeError(`Resource '${resource.name}': '${name}' declares 'withdraw', and its fake has none.`);
    return [`${resource.name}.${name}`, { shape, ...code }] as const;
  });
  return { resource, calls: new Map(calls) };
}

/** One execution of a call, to see what was done outside. */
export interface CallExecution {
  /** `shelf.put` */
  readonly call: string;
  /** The entity that called. */
  readonly entity: string;
  /** The action that called. */
  readonly action: string | undefined;
  readonly input: unknown;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** It was cancelled before, and a worker made it all the same. */
  readonly cancelled?: true;
  /** The worker that made it. */
  readonly worker: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The code of the error with which it failed; none when it took effect. */
  readonly error?: string;
}

/** The fakes of a simulation. */
export class FakeResources {
  readonly #calls: FakeResource['calls'];

  constructor(resources: readonly FakeResource[]) {
    this.#calls = new Map(resources.flatMap(({ calls }) => [...calls]));
  }

  /** @throws TypeError for a call that has no fake */
  check({ activity, resource }: Call): void {
    if (this.#calls.has(activity)) return;
    throw new TypeError(
      `'${activity}' is called, and the simulation has no fake for it. Add fakeResource(${resource}, { ... }) to 'resources'.`,
    );
  }

  shapeOf(call: string): CallShape {
    return this.#calls.get(call)!.shape;
  }

  /** Tells a fake of a question that was closed. Gives the code of the error with which it failed. A3 */
  async withdraw(call: string, input: unknown, context: FakeWithdrawContext): Promise<string | undefined> {
    try {
      await this.#calls.get(call)!.withdraw?.(input, context);
      return undefined;
    } catch (thrown) {
      return toErrorRecord(thrown).code;
    }
  }

  async perform(
    call: string,
    input: unknown,
    context: FakeContext,
    answer: FakeAskContext['answer'] = nobodyAnswers,
  ): Promise<CommandAnswer> {
    const { shape, perform } = this.#calls.get(call)!;
    try {
      const parsed = shape.input.safeParse(input);
      if (!parsed.success) {
        throw new ResourceError('invalid_input', `Its input is not right: ${schemaProblems(parsed.error)}.`);
      }
      if (shape.answer === 'callback') {
        await perform(parsed.data, { ...context, answer });
        return {};
      }
      const given = await perform(parsed.data, { ...context, answer });
      const output = checkedOutput(shape, given, `The fake of '${call}'`);
      return { value: JSON.stringify(output) };
    } catch (thrown) {
      const { code, message, retryAfterMs } = toErrorRecord(thrown);
      return { failure: { call, code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
    }
  }
}

/** Where nothing can be answered from outside. @throws TypeError */
export function nobodyAnswers(): never {
  throw new TypeError('Nothing can be answered from outside here.');
}

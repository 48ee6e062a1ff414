import type { z } from 'zod';
import type { Affinity } from '../definition/affinity.js';
import type { AnswerAddress } from '../definition/answer-address.js';
import type { CallbackAnswer } from '../protocol/callback.js';
import type { Call, CallShape, Resource } from '../definition/resource.js';
import { ResourceError, toErrorRecord } from '../protocol/errors.js';
import type { CommandAnswer } from './history.js';

/** What a fake gets beside the call's input. */
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

/** What a fake is told of a call that is answered from outside. A1 */
export interface FakeAskContext<Output = unknown> extends FakeContext {
  /** Sends an answer, so many milliseconds of virtual time from now (default 0): as often and as late as you like. */
  answer(
    answer: { readonly output: Output } | { readonly error: { readonly code: string; readonly message: string } },
    afterMs?: number,
  ): void;
}

type Gives<T> = Promise<T> | T;

/**
 * What the calls of a resource do in a simulation. They may throw `ResourceError`, and must not wait for real time. Those that are
 * answered by callback give nothing; they may answer by `context.answer`, or a test does by `Simulation.answer`.
 */
export type FakeCalls<R extends Resource> = {
  readonly [C in keyof R['calls']]: R['calls'][C] extends { readonly answer: 'callback' }
    ? (
        input: z.output<R['calls'][C]['input']>,
        context: FakeAskContext<z.input<R['calls'][C]['output']>>,
      ) => Gives<void>
    : (input: z.output<R['calls'][C]['input']>, context: FakeContext) => Gives<z.input<R['calls'][C]['output']>>;
};

type FakeCall = (input: unknown, context: FakeContext & Partial<FakeAskContext>) => unknown;

/** A resource as a simulation carries it out. */
export interface FakeResource {
  readonly resource: Resource;
  readonly calls: ReadonlyMap<string, { readonly shape: CallShape; readonly perform: FakeCall }>;
}

/** Gives each call of a resource its code in simulations. Input and output are checked as in production. */
export function fakeResource<R extends Resource>(resource: R, fakes: FakeCalls<R>): FakeResource {
  const calls = Object.entries(resource.calls).map(([name, shape]) => {
    const perform = fakes[name];
    if (!perform) throw new TypeError(`Resource '${resource.name}': the call '${name}' is declared and has no fake.`);
    return [`${resource.name}.${name}`, { shape, perform: perform as FakeCall }] as const;
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

  async perform(
    call: string,
    input: unknown,
    context: FakeContext,
    answer: FakeAskContext['answer'] = nobodyAnswers,
  ): Promise<CommandAnswer> {
    const { shape, perform } = this.#calls.get(call)!;
    try {
      const parsed = shape.input.safeParse(input);
      if (!parsed.success) throw new ResourceError('invalid_input', parsed.error.message);
      if (shape.answer === 'callback') {
        await perform(parsed.data, { ...context, answer });
        return {};
      }
      const output = shape.output.safeParse(await perform(parsed.data, { ...context, answer }));
      if (!output.success) throw new ResourceError('invalid_output', output.error.message);
      return { value: JSON.stringify(output.data) };
    } catch (thrown) {
      const { code, message } = toErrorRecord(thrown);
      return { failure: { call, code, message } };
    }
  }
}

/** Where nothing can be answered from outside. @throws TypeError */
export function nobodyAnswers(): never {
  throw new TypeError('Nothing can be answered from outside here.');
}

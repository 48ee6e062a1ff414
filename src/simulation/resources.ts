import type { z } from 'zod';
import type { Call, CallShape, Resource } from '../definition/resource.js';
import { ResourceError, toErrorRecord } from '../protocol/errors.js';
import type { CommandAnswer } from './history.js';

/** What a fake gets beside the call's input. */
export interface FakeContext {
  /** The same on every execution of the same call. S3.4 */
  readonly idempotencyKey: string;
  /** The number of this execution of the call; above 1 after an answer was lost. */
  readonly attempt: number;
}

/** The code of a resource's calls in a simulation. The calls may throw `ResourceError`, and must not wait for real time. */
export type FakeCalls<R extends Resource> = {
  readonly [C in keyof R['calls']]: (
    input: z.output<R['calls'][C]['input']>,
    context: FakeContext,
  ) => Promise<z.input<R['calls'][C]['output']>> | z.input<R['calls'][C]['output']>;
};

type FakeCall = (input: unknown, context: FakeContext) => unknown;

/** A resource as a simulation carries it out. */
export interface FakeResource {
  readonly calls: ReadonlyMap<string, { readonly shape: CallShape; readonly perform: FakeCall }>;
}

/** Gives each call of a resource its code in simulations. Input and output are checked as in production. */
export function fakeResource<R extends Resource>(resource: R, fakes: FakeCalls<R>): FakeResource {
  const calls = Object.entries(resource.calls).map(([name, shape]) => {
    const perform = fakes[name];
    if (!perform) throw new TypeError(`Resource '${resource.name}': the call '${name}' is declared and has no fake.`);
    return [`${resource.name}.${name}`, { shape, perform: perform as FakeCall }] as const;
  });
  return { calls: new Map(calls) };
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

  async perform(call: string, input: unknown, context: FakeContext): Promise<CommandAnswer> {
    const { shape, perform } = this.#calls.get(call)!;
    try {
      const parsed = shape.input.safeParse(input);
      if (!parsed.success) throw new ResourceError('invalid_input', parsed.error.message);
      const output = shape.output.safeParse(await perform(parsed.data, context));
      if (!output.success) throw new ResourceError('invalid_output', output.error.message);
      return { value: JSON.stringify(output.data) };
    } catch (thrown) {
      const { code, message } = toErrorRecord(thrown);
      return { failure: { call, code, message } };
    }
  }
}

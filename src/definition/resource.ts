import type { z } from 'zod';
import { timesProblem } from './call-times.js';
import { DeclarationError } from './declaration-error.js';
import { SUMMARY_CHARACTERS } from './limits.js';
import { cut } from './thrown.js';
import type { Duration } from './duration.js';
import { makeShareable, ownPatterns } from './shareable.js';
import { survivalProblems } from './values/survival.js';

/** The mode of a call: by an activity, inline in the workflow task, or answered from outside by a callback. A7 */
export type CallMode = 'activity' | 'inline' | 'callback';

/** Gives the mode in which a call is made. A call that another worker makes cannot be inline. A5, A7 */
export function modeOf({ answer = 'activity' }: Pick<CallShape, 'answer'>, elsewhere: boolean): CallMode {
  return elsewhere && answer === 'inline' ? 'activity' : answer;
}

/** One call to the outside: carried out by an activity, the same in all its attempts. S3.3, S3.4 */
export interface CallShape<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** Schema of what an action gives. */
  readonly input: Input;
  /** Schema of what the provider gives. */
  readonly output: Output;
  /** The longest time of one execution by one worker. Default 1 m, or `heartbeat` where that is longer. */
  readonly timeout?: Duration;
  /** A worker that is silent for so long is considered dead, and another one continues. Default 10 s. */
  readonly heartbeat?: Duration;
  /**
   * Sets whether an execution that is cut off goes on in the next one: from its `progress`, or because what it does lies outside and is
   * found again by the idempotency key. So it may take longer than its worker lives. Default false. Q3
   */
  readonly resumes?: boolean;
  /**
   * Sets how it is carried out. `activity` (default): by any worker that serves the queue. `inline`: by the worker at hand, for short
   * calls. `callback`: a worker only asks; the answer comes later from outside, to an address that it is given. A7
   */
  readonly answer?: CallMode;
  /** The longest wait for the answer of a `callback`. */
  readonly within?: Duration;
  /** Is true if the provider of a `callback` is informed of questions that were closed without an answer. Default false. A3 */
  readonly withdraw?: boolean;
  /**
   * Sets whether an event that aborts the action waits until the call has ended, since it may take effect until then. Default true.
   * `false` is for a call that does no harm when it takes effect late, such as one that only reads. S3.2
   */
  readonly waitOnAbort?: boolean;
  /** A line for people, shown in Temporal's UI. `{name}` stands for the member `name` of the input. */
  readonly summary?: string;
}

/** A kind of thing outside (databases, names), and the calls that can be made to it. */
export interface Resource<
  Name extends string = string,
  Calls extends Record<string, CallShape> = Record<string, CallShape>,
> {
  readonly name: Name;
  readonly calls: Calls;
}

/** A call as actions name it: `databases.createInstance`. */
export interface Call<Shape extends CallShape = CallShape> {
  readonly resource: string;
  readonly name: string;
  /** `resource.name`: the activity's type. */
  readonly activity: string;
  readonly shape: Shape;
}

/** The input that an action gives to a call. */
export type CallInput<C extends Call> = z.input<C['shape']['input']>;
/** The output that an action gets from a call. */
export type CallOutput<C extends Call> = z.output<C['shape']['output']>;

/** A resource whose calls can be named as its members. */
export type DefinedResource<Name extends string, Calls extends Record<string, CallShape>> = Resource<Name, Calls> & {
  readonly [C in keyof Calls & string]: Call<Calls[C]>;
};

/**
 * Declares a resource as data. The worker gets the code of its calls with `implementResource`.
 * @throws DeclarationError with every schema whose values do not survive JSON
 */
export function defineResource<const Name extends string, const Calls extends Record<string, CallShape>>(
  name: Name,
  calls: Calls,
): DefinedResource<Name, Calls> {
  ownPatterns(calls);
  const problems = Object.entries(calls).flatMap(([call, { input, output }]) => [
    ...survivalProblems(input, `${call}.input`, 'taken'),
    ...survivalProblems(output, `${call}.output`, 'made'),
  ]);
  if (problems.length > 0) throw new DeclarationError(`resource '${name}'`, problems);
  makeShareable(calls);
  const members = Object.entries(calls).map(([call, shape]) => {
    if (call === 'name' || call === 'calls') {
      throw new TypeError(`Resource '${name}': a call cannot be named '${call}'. Choose another name.`);
    }
    if ((shape.answer === 'callback') !== (shape.within !== undefined)) {
      const remedy =
        shape.answer === 'callback'
          ? "is answered by callback, but has no time limit. Add within: '2d'"
          : "has 'within', but is not answered by callback. Remove 'within', or set answer: 'callback'";
      throw new TypeError(`Resource '${name}': the call '${call}' ${remedy}.`);
    }
    const wrongTimes = timesProblem(shape);
    if (wrongTimes !== undefined) throw new TypeError(`Resource '${name}': the call '${call}' ${wrongTimes}.`);
    if (shape.withdraw && shape.answer !== 'callback') {
      const remedy = "Leave out 'withdraw', or set answer: 'callback'";
      throw new TypeError(`Resource '${name}': the call '${call}' has no provider that could be informed. ${remedy}.`);
    }
    return [call, callOf(name, call, shape)] as const;
  });
  return { ...Object.fromEntries(members), name, calls } as DefinedResource<Name, Calls>;
}

/** All calls of a resource. */
export function callsOf({ name, calls }: Resource): readonly Call[] {
  return Object.entries(calls).map(([call, shape]) => callOf(name, call, shape));
}

function callOf(resource: string, name: string, shape: CallShape): Call {
  return { resource, name, activity: `${resource}.${name}`, shape };
}

/** The type of the activity that tells a provider of a question that was closed without an answer. A3 */
export function withdrawalOf(call: string): string {
  return `${call}.withdraw`;
}

/** The line for people about one call. */
export function summarise(call: Call, input: unknown): string {
  const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const text = (call.shape.summary ?? call.activity).replace(/\{(\w+)\}/g, (_, name: string) => String(members[name]));
  return cut(text, SUMMARY_CHARACTERS, 0);
}

import type { CallOptions } from './affinity.js';
import type { Duration } from './duration.js';
import type { Call, CallInput, CallOutput } from './resource.js';

/** One of the calls that a collector makes: `[shipping.quote, { parcel }]`, with options as those of `app.call`. A3 */
export type CollectibleCall<C extends Call = Call> = readonly [call: C, input: CallInput<C>, options?: CallOptions];

/**
 * Describes how many answers a collector wants. `all`: one of each call. `first`: one. `{ answers: n }`: so many. `deadline`: as many as
 * come within the time.
 */
export type CollectRule = 'all' | 'first' | 'deadline' | { readonly answers: number };

/** Describes how one call of a collector ended. */
export type CollectedResult<Output = unknown> =
  | { readonly status: 'answered'; readonly output: Output }
  /** The resource failed, or has not answered in time: then with the code `call_timed_out`. */
  | { readonly status: 'failed'; readonly code: string; readonly message: string }
  /** The collector had ended before: the call was cancelled or never made, and what it still says is ignored. */
  | { readonly status: 'superseded' };

/** An answer that a collector counts. */
export interface CollectedAnswer<Output = unknown> {
  /** The place of its call among those that were given, from 0. */
  readonly place: number;
  readonly output: Output;
}

/** Holds the options of `app.collect`: how many answers it wants, for how long, and which ones count. A3 */
export interface CollectOptions<Output = unknown> {
  /** With how many answers it ends. As soon as so many cannot come any more, it ends too. */
  readonly until: CollectRule;
  /** Sets after how long it ends in any case. */
  readonly within: Duration;
  /** Sets how many calls are made at once at most. The others wait for their turn. Default: 100. */
  readonly atOnce?: number;
  /** Sets which answers count. The others are kept, and are no answers to the rule. Default: all. */
  readonly match?: (output: Output, place: number) => boolean;
  /** Sets what becomes of a collector without any answer that counts: it fails (default), or gives none. */
  readonly none?: 'fail' | 'empty';
  /** Sets what becomes of several answers that count. Default: all of them are given, in the order of their calls. */
  readonly several?: 'fail' | 'first' | ((answers: readonly CollectedAnswer<Output>[]) => CollectedAnswer<Output>);
}

/** The output that any of these calls may give. */
export type AnyOutput<Calls extends readonly CollectibleCall[]> = CallOutput<Calls[number][0]>;

/** Describes what a collector has collected. */
export interface Collection<Calls extends readonly CollectibleCall[]> {
  /** Shows what came of each call, in the order in which they were given. */
  readonly results: { readonly [I in keyof Calls]: CollectedResult<CallOutput<Calls[I][0]>> };
  /** The answers that count, in the order of their calls. */
  readonly answers: readonly CollectedAnswer<AnyOutput<Calls>>[];
}

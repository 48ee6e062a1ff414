import type { Rate } from './allowance.js';

/** The settings of the service. */
export interface ServiceSettings {
  /** The most that a request's body may have, in bytes. */
  readonly bodyBytes: number;
  /** Sets how long an entity may take to answer an event, in milliseconds. */
  readonly answerMs: number;
  /** The longest that `Prefer: wait` lasts, in seconds. */
  readonly longestWait: number;
  /** Sets how many change streams may be open at once. */
  readonly streams: number;
  /** Sets how many change streams one caller may have open. */
  readonly streamsOfCaller: number;
  /** Sets how often each caller may ask, and how often each address may send requests that do not show who asks. */
  readonly rates: { readonly caller: Rate; readonly nobody: Rate };
  /**
   * The pause between two looks of a change stream, in milliseconds. It is the shortest at first and while things change, and
   * grows to the longest.
   */
  readonly lookMs: readonly [shortest: number, longest: number];
  /** Sets after how long a change stream on which nothing happens says that it is still there, in milliseconds. */
  readonly heartbeatMs: number;
  /** Sets how many rows a page of a list has: the usual number, and the most that a caller may ask for. */
  readonly pageRows: readonly [usual: number, most: number];
  /** The most rows of one expanded collection. */
  readonly expandedRows: number;
}

/** The settings of a management service where none are given. */
export const DEFAULT_SETTINGS: ServiceSettings = {
  bodyBytes: 256 * 1024,
  answerMs: 15_000,
  longestWait: 60,
  streams: 200,
  streamsOfCaller: 100,
  rates: { caller: [500, 1_000], nobody: [5, 100] },
  lookMs: [250, 2_000],
  heartbeatMs: 15_000,
  pageRows: [100, 1_000],
  expandedRows: 100,
};

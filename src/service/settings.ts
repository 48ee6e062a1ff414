import type { Rate } from './allowance.js';

/** What of the service can be set. */
export interface ServiceSettings {
  /** The most characters of a request's body, in bytes. */
  readonly bodyBytes: number;
  /** How long an entity may take to answer an event, in milliseconds. */
  readonly answerMs: number;
  /** The longest that `Prefer: wait` lasts, in seconds. */
  readonly longestWait: number;
  /** How many change streams may be open at once. */
  readonly streams: number;
  /** How many of them one caller may have open. */
  readonly streamsOfCaller: number;
  /** How often each caller may ask, and each address from which requests come that do not show who asks. */
  readonly rates: { readonly caller: Rate; readonly nobody: Rate };
  /** How often a change stream looks: at first and while things change, and at most, in milliseconds. */
  readonly lookMs: readonly [shortest: number, longest: number];
  /** How often a change stream on which nothing happens says that it is there, in milliseconds. */
  readonly heartbeatMs: number;
  /** The rows of a page of a list, unless the caller prefers another number; and the most that he gets. */
  readonly pageRows: readonly [usual: number, most: number];
  /** The most rows that one expanded collection brings along. */
  readonly expandedRows: number;
}

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

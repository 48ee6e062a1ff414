/**
 * After this time, in milliseconds, an entity at rest has gone on in a new run. It may take twice the half minute of the default, since
 * one timer serves many events, and some time to do so.
 */
export const RESTED_MS = 65_000;

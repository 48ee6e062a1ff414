import type { Json } from '../description/description.js';

/** Describes why something failed. */
export interface Failure {
  /** Stable, for programs: lower case with underscores. */
  readonly code: string;
  readonly message: string;
}

/** Describes how a call or a handler ended. */
export type Result = { readonly output?: Json } | { readonly error: Failure };

/**
 * Describes what a condition says, and which part of it does not hold. An error is a failure of the component that asked, not `false`.
 * W-8
 */
export type Verdict = { readonly holds: boolean; readonly why?: string } | { readonly error: Failure };

import type { CallMode } from '../definition/resource.js';

/** A call that an action makes, as a step that people can see. All times are milliseconds since 1970. A2 */
export interface CallStep {
  /** Its place among all that the execution of the action does, from 1: the last part of its idempotency key. S3.4 */
  readonly place: number;
  /** `databases.createInstance` */
  readonly call: string;
  readonly mode: CallMode;
  readonly startedAt: number;
  /** When it was answered, or had failed. */
  readonly endedAt?: number;
  /** Why it has failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** How often it was made again because a worker was lost. */
  readonly restarts?: number;
}

/** The calls of one execution of an action. */
export interface CallSteps {
  /** The latest calls, and all that are under way, in the order in which they began. */
  readonly steps: readonly CallStep[];
  /** How many calls are not among them, where there were very many. */
  readonly omitted?: number;
  /** How many calls of collectors wait for their turn. A3 */
  readonly queued?: number;
}

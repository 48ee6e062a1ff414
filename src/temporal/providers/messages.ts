import type { Info } from '@temporalio/activity';
import type { Affinity } from '../../definition/affinity.js';
import type { CallEnvelope } from '../call-envelope.js';

/** All that an activity is told when nobody waits for it any more, or its worker stops. */
export interface Cancellation {
  readonly reason: string;
  readonly workerShutdown: boolean;
}

/** A call that is to be made. */
export interface CallRequest {
  readonly activity: string;
  readonly envelope: CallEnvelope;
  readonly info: Omit<Info, 'taskToken'>;
  readonly affinity?: Affinity | undefined;
}

/** The messages that the worker sends to the process of its providers. */
export type ToProviders =
  | { readonly kind: 'call'; readonly id: number; readonly request: CallRequest }
  | { readonly kind: 'cancel'; readonly id: number; readonly cancellation: Cancellation }
  | { readonly kind: 'ping' };

/** How a call has failed, as Temporal is told it. */
export interface CallFailure {
  readonly type: string;
  readonly message: string;
  readonly nonRetryable: boolean;
  readonly details: readonly unknown[];
}

/** The messages that the process sends to its worker. */
export type FromProviders =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'beat'; readonly id: number; readonly details: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: CallFailure };

/** The report of its watch while its code keeps it busy. */
export interface Sighting {
  /** The call whose code runs. */
  readonly id: number;
  /** Where it is: `crunch (resources.js:12)`. */
  readonly at: string;
}

import type { Call } from '../../definition/resource.js';
import type { Named } from '../ledger/stable-names.js';

/** A call that is ready to be made. */
export interface PlacedCall {
  readonly call: Call;
  readonly input: unknown;
  readonly idempotencyKey: string;
  /** Its name in its action. */
  readonly named: Named;
  /** Its place among all that the execution of the action does, from 1. */
  readonly place: number;
  /** The one worker that may make it, and for how long that may be busy before it is taken for gone. A5 */
  readonly on?: { readonly worker: string; readonly takenWithinMs: number };
  /**
   * Of an inline call of a collector: when that ends, in milliseconds since 1970. No timer comes while a call is made inline, so the call
   * itself has to end then: it tells that the time is over, and waits to be cancelled. A3
   */
  readonly limit?: { readonly until: number; over(): void };
}

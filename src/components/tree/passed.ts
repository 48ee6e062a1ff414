import type { Json } from '../description/description.js';

/*
 * All that components tell each other.
 */

/** The record of an end. `type` is `normal`, `abnormal`, or any other word that a `tryThen` continues with. W1 */
export interface End {
  readonly type: string;
  readonly description: string;
  /** The path of the component that ended first. */
  readonly component: string;
  /** Is true if a whole deployment has failed to deploy: it has never been up. */
  readonly undeployed?: true;
}

/** An event, with those that have had it: none gets it twice, over whatever paths. W-7 */
export interface EventPassed {
  readonly event: Json;
  readonly passed: readonly string[];
}

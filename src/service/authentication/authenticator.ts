import type { Actor } from '../../protocol/actor.js';

/** Somebody who has shown who they are, and for how long that holds. */
export interface Credentials {
  readonly actor: Actor;
  /** Until when that holds, in milliseconds since 1970. A stream ends then, and its client shows again who it is. */
  readonly until: number;
}

/** Finds out who asks. S6.5 */
export interface Authenticator {
  /** Is true if it asks for no proof. Then the service must not be reached from elsewhere. */
  readonly open?: true;
  /**
   * Gives `undefined` when the request does not show who asks.
   * @throws ProblemError 503 when that cannot be told at the moment
   */
  authenticate(request: Request): Promise<Credentials | undefined>;
}

import type { CollectedResult } from './collect.js';

/*
 * The errors that are thrown into an action: one class per cause, sorted by who must act. Nobody has to act on CallFailed,
 * CollectFailed, WaitTimedOut, WaitRefused, ReservationEnded, LinkTargetAbsent and Aborted, since the action is tried again. A person has to
 * act on GivenUp, and the author of the code on Defect.
 */

/** Thrown into an action by `app.call`: the resource failed. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    /** `resource.call` */
    readonly call: string,
    readonly code: string,
    message: string,
    /** How often a worker was lost in the middle of the call, so that another worker made the call again. */
    readonly restarts = 0,
    /** How long the provider lets nobody try again, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** Thrown into an action by `app.collect`: too few answers have come, none, or several where one was wanted. A3 */
export class CollectFailed extends Error {
  override readonly name = 'CollectFailed';

  constructor(
    readonly code: 'too_few_answers' | 'no_answer' | 'several_answers',
    message: string,
    /** The outcomes of the calls, in the order in which they were given. */
    readonly results: readonly CollectedResult[],
  ) {
    super(message);
  }
}

/** Thrown into an action: the entity that it waited for has not settled in time. S3.8 */
export class WaitTimedOut extends Error {
  override readonly name = 'WaitTimedOut';
  readonly code = 'wait_timed_out';
}

/** Thrown into an action: what it waits for waits, directly or through others, for the action itself. S3.8 */
export class WaitRefused extends Error {
  override readonly name = 'WaitRefused';
  readonly code = 'deadlock';

  constructor(
    message: string,
    /** The entities that wait for each other, each for the next one, and the last for the first. */
    readonly cycle: readonly string[],
    /** Tells whether the wait was for a reservation: then the action runs again when it does not catch this. */
    readonly reserves: boolean,
  ) {
    super(message);
  }
}

/** Thrown into an action that acts on an entity that it had reserved, when the lease has ended. S3.6 */
export class ReservationEnded extends Error {
  override readonly name = 'ReservationEnded';
  readonly code = 'reservation_ended';
}

/**
 * Thrown into an action that has set a link to an entity that has to exist and does not, or would create an entity with such a
 * link. S1.1
 */
export class LinkTargetAbsent extends Error {
  override readonly name = 'LinkTargetAbsent';
  readonly code = 'link_target_absent';
}

/** Thrown into an action that is aborted: what it does from now on has no effect. S3.2 */
export class Aborted extends Error {
  override readonly name = 'Aborted';
  readonly code = 'aborted';
}

/** Thrown by `app.giveUp`: no further attempt makes sense, a person has to act. S3.5 */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A mistake in an entity's code, or in Reeve's. It becomes a failed action, never a blocked workflow. */
export class Defect extends Error {
  override readonly name = 'Defect';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

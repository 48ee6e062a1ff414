/*
 * What is thrown into an action: one class per cause, sorted by who must act. Nobody, since it is tried again (CallFailed,
 * WaitTimedOut, WaitRefused, ReservationEnded, LinkTargetAbsent, Aborted), a person (GivenUp), or the author of the code (Defect).
 */

/** Thrown into an action by `app.call`: the resource failed. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    /** `resource.call` */
    readonly call: string,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown into an action: the entity that it waited for has not settled in time. S3.8 */
export class WaitTimedOut extends Error {
  override readonly name = 'WaitTimedOut';
  readonly code = 'wait_timed_out';
}

/** Thrown into an action: what it waits for waits, over any number of steps, for the action itself. S3.8 */
export class WaitRefused extends Error {
  override readonly name = 'WaitRefused';
  readonly code = 'circle_of_waiting';

  constructor(
    message: string,
    /** The entities that wait for each other, each for the next one, and the last for the first. */
    readonly circle: readonly string[],
    /** It was to be reserved; the action runs again when it does not catch this. */
    readonly reserves: boolean,
  ) {
    super(message);
  }
}

/** Thrown into an action: it acts on an entity that it had reserved, and the lease has ended. S3.6 */
export class ReservationEnded extends Error {
  override readonly name = 'ReservationEnded';
  readonly code = 'reservation_ended';
}

/** An action has set a link that asks for something to be there, or would create an entity with one, and nothing is. S1.1 */
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

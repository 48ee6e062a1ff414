import type { Health } from '../definition/state.js';
import type { Actor } from './actor.js';
import type { EntityRef } from './names.js';
import type { Probe } from './probe.js';
import type { Dimensions } from './records.js';
import type { Read, View } from './reading.js';
import type { OwnerLook, Fence, Lease, Release, Reserve, Seal, Sealed, Unseal } from './reservation.js';
import type { Snapshot } from './snapshot.js';

/*
 * All that crosses a process: between clients, entities and operations. Plain JSON.
 */

/** Who must act on an error: the caller, nobody (it is tried again), a person, or the author of the code. */
export type ErrorKind = 'rejected' | 'retryable' | 'needs_operator' | 'defect';

/** An error as it is recorded and passed on. */
export interface ErrorRecord {
  readonly kind: ErrorKind;
  /** Stable, for programs: lower case with underscores. */
  readonly code: string;
  readonly message: string;
  /** Of a defect, where the worker takes stacks. */
  readonly stack?: string;
}

/** Why an event was not accepted. S2.2 */
export interface Rejection {
  /** `already_in_progress`, `already_done` and others as declared; `not_valid`, `unknown_event`, `invalid_parameters`, `absent`, `gone`, `terminal`, `already_exists`, `constraint_violated`, `link_target_absent`, `not_public`, `reservation_ended`, `request_conflict`, `version_conflict`, `not_exhausted`, `no_such_successor`, `not_allowed`, `another_tenant`, `withdrawn`, `try_again`. */
  readonly code: string;
  readonly message: string;
  readonly entity: string;
  readonly event: string;
  readonly state?: string;
  /** The events that are valid now. */
  readonly validNow?: readonly string[];
  /** The operation that runs on the entity, if any. */
  readonly operation?: string;
  /** With `invalid_parameters` and `link_target_absent`: each with its path. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** An entity that wants to be told where another one settles. */
export interface Watcher extends EntityRef {
  /** Its run chain: a later entity of the same key is another one. */
  readonly life: string;
  /** It has subscriptions, so each report to it has to be judged before an operation can end. S4.2 */
  readonly judges: boolean;
  /** One of its subscriptions asks whether events were accepted, so it is told of that too. S4.3 */
  readonly follows?: boolean;
  /** It is told for life, and not only until the operation of its event is over there. S4.3 */
  readonly lasting?: boolean;
}

/** An event to raise. */
export interface RaiseRequest {
  /** The request id: the same id again gives the first outcome. S2.5 */
  readonly id: string;
  readonly event: string;
  readonly params?: unknown;
  /** The operation that it belongs to; without one it opens its own, named by `id`. */
  readonly operation?: string;
  /** The entity that raises it. */
  readonly from?: Watcher;
  /** The action that raises it waits until everything that it sets off has settled: the name of the wait. S4.2 */
  readonly awaited?: string;
  /** Whoever raises it expects that it may be rejected: that is no failure of the operation. S3.6 */
  readonly mayBeRejected?: boolean;
  /** Of the reservation under which it is raised: it comes too late when that has ended. S3.6 */
  readonly fence?: Fence;
  /** The place of the entity in the tree of the operation, where another entity raises it: `1.2`. */
  readonly position?: string;
  /** With an event that creates: what the entity comes to be with. One that exists already ignores it. S2.1 */
  readonly construct?: Readonly<Record<string, unknown>>;
  /** The entity as the caller has seen it: in another life or version, the event is rejected. S6.1 */
  readonly expects?: ExpectedVersion;
  /**
   * For how many milliseconds the caller would have the answer held back, so that it tells the outcome. Only where it comes
   * alone; at most `LONGEST_HOLD_MS`. S4.7
   */
  readonly holdMs?: number;
  /** Who raises it from outside: the entity decides whether they may. Without one, it is trusted. S6.5 */
  readonly actor?: Actor;
  /** The tenant of the entity that raises it, or for which it creates one. S6.5 */
  readonly tenant?: string;
}

/** What can follow the parameters of a plain signal. */
export interface SignalOptions {
  /**
   * The request id: the same again runs nothing (S2.5), and its operation has a workflow, `op/<request>`. At most 250
   * characters. Without one, each signal is a new request.
   */
  readonly request?: string;
  /** For whom it is sent: what they may not do is dropped. Without one, it is trusted. S6.5 */
  readonly actor?: Actor;
}

/** An answer that is held back for longer would keep an update's place too long, and its caller without an operation to look at. */
export const LONGEST_HOLD_MS = 5_000;

/** One version of one life of an entity. */
export interface ExpectedVersion {
  readonly life: string;
  readonly version: number;
}

/** The immediate answer to one event. */
export type Answer =
  | {
      readonly status: 'accepted';
      readonly operation: string;
      /** Given when the entity settled before the answer was given. */
      readonly outcome?: EngagementOutcome;
      /** No workflow follows the event yet: the entity tells the outcome, or that one does. */
      readonly unfollowed?: true;
      /** The request had been raised before: nothing runs again. S2.5 */
      readonly repeated?: true;
      /** It was accepted so long ago that neither the entity nor a store keeps its outcome: its operation may. */
      readonly longAgo?: true;
    }
  | {
      readonly status: 'waiting';
      readonly operation: string;
      readonly behind: string;
      readonly repeated?: true;
    }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** How an engagement (one event on one entity until it has settled) ended. */
export interface EngagementOutcome {
  readonly state: string;
  readonly version: number;
  readonly health: Health;
  /** The entity rests for its successors: the operation goes on. */
  readonly waiting: boolean;
  /** The entity was deleted: its workflow ends. */
  readonly closed?: boolean;
  /** The entity has ended without a word; `state` is the last one that is known. S4.4 */
  readonly lost?: boolean;
  /** The last error that no retry made good. */
  readonly error?: ErrorRecord;
  /** The event had waited for an action and was then rejected. */
  readonly rejection?: Rejection;
  /** It was cut short: its action was aborted, or an event of another operation took its place. S4.8 */
  readonly canceled?: boolean;
  /** An event of another operation took its place: no one judges that. S4.8 */
  readonly interrupted?: boolean;
}

/** What starts an entity's workflow. */
export interface Creation {
  readonly kind: 'create';
  readonly key: string;
  /** Without it, and with the event `created`, the entity comes to be in its initial state. */
  readonly request?: RaiseRequest;
  /** The key has had a life before. */
  readonly again?: boolean;
  /** How the last life of this key ended: its request ids stay known. S1.3 */
  readonly inherits?: Snapshot;
}

/** A judgement that the watcher owes to the operations: what it makes of a report. S4.2 */
export interface Judgement {
  readonly id: string;
  readonly operations: readonly string[];
}

/** From a successor to those who watch it: where it has settled, or why it rejected their event. */
export interface Report {
  readonly kind: 'report';
  readonly from: LivingRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  /** Grows with each transition; a report that is not newer is ignored. S4.4 */
  readonly version: number;
  readonly outcome: EngagementOutcome;
  /** The request ids that have ended with this. */
  readonly ended: readonly string[];
  /** They had ended before, and were raised again. */
  readonly again?: boolean;
  readonly judgement?: Judgement;
}

/** An entity of a certain life. */
export interface LivingRef extends EntityRef {
  readonly life: string;
}

/** From an entity to a successor of which it has heard nothing for some time: does it still exist? S4.4 */
export interface Look {
  readonly kind: 'look';
  readonly from: Watcher;
  /** The life that is meant, once it is known. */
  readonly life?: string;
  /** The last event that was raised on it. */
  readonly request: string;
  /** Of the last report; none while there is no answer to the request. */
  readonly version?: number;
}

/** The answer of an entity that knows nothing of the request: another life had the key. S4.4 */
export interface Stranger {
  readonly kind: 'stranger';
  readonly from: LivingRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  readonly request: string;
}

/** From the keeper to those who watch an entity: this life of it was ended by other hands than its own. S4.4 */
export interface Lost {
  readonly kind: 'lost';
  readonly from: LivingRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
}

/** From a successor to the entity that has raised an event on it: it is valid, and its action starts. S3.3 */
export interface Accepted {
  readonly kind: 'accepted';
  readonly from: LivingRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  readonly request: string;
}

/** From an entity whose action waits for an event no longer: it is not to begin, if it still waits. S3.8 */
export interface Withdraw {
  readonly kind: 'withdraw';
  readonly from: LivingRef;
  readonly request: string;
}

/** Messages to an entity, from others and from operations. */
export type EntityMessage =
  | { readonly kind: 'raise'; readonly key: string; readonly request: RaiseRequest }
  | Report
  | Look
  | Stranger
  | Lost
  | Accepted
  | Withdraw
  | Read
  | View
  | Reserve
  | Lease
  | Release
  | Seal
  | Sealed
  | Unseal
  | OwnerLook
  | Probe
  | {
      /** Everything that an event raised and waited for has set off has settled. S4.2 */
      readonly kind: 'awaited';
      readonly toLife: string;
      readonly engagement: string;
      readonly outcome: EngagementOutcome;
    }
  | {
      /** Cancel is a request: the entity answers it by the event that it declares for it. S4.7 */
      readonly kind: 'cancel';
      readonly operation: string;
      /** The engagement that the operation expects to end. */
      readonly engagement: string;
    }
  | {
      /** The operation has heard nothing for long: does the entity know of these, and is it still of this life? S4.4 */
      readonly kind: 'inquiry';
      readonly operation: string;
      /** Grows with each look, so that a message which comes twice counts once. */
      readonly round: number;
      readonly engagements: readonly string[];
      /** That it owes. */
      readonly judgements: readonly string[];
      readonly life?: string;
    };

/** An engagement that another one has caused, and the entity that has to end it. */
export interface Cause {
  readonly engagement: string;
  /** `LogicalServer/orders` */
  readonly on: string;
}

/** A judgement that is owed, and the entity that owes it. */
export interface OwedJudgement {
  readonly id: string;
  readonly by: string;
}

/** Messages to an operation: late, doubled and reordered ones do no harm. */
export type OperationMessage =
  | {
      readonly kind: 'ended';
      readonly engagement: string;
      readonly participant: LivingRef;
      readonly event: string;
      readonly outcome: EngagementOutcome;
      /** Engagements on others that it raised: they are open from now on. */
      readonly caused: readonly Cause[];
      /** Judgements that are owed for its reports. */
      readonly judgements: readonly OwedJudgement[];
      /** It was rejected, and whoever has raised it did not expect that: the operation has failed. S3.6 */
      readonly unexpected?: boolean;
      /** The entity whose action waits until everything that the event sets off has settled. S4.2 */
      readonly awaiter?: LivingRef;
      /** Of the root, as they are now. */
      readonly dimensions?: Dimensions;
      /** Of the root: when it ended, in milliseconds since 1970. */
      readonly at?: number;
      /** Resumptions after a failure, where there were any. */
      readonly restarts?: number;
    }
  | {
      /** It had rested for its successors, and has settled since, by an event of another operation. S4.8 */
      readonly kind: 'moved';
      readonly participant: LivingRef;
      readonly outcome: EngagementOutcome;
    }
  | {
      readonly kind: 'judged';
      readonly judgements: readonly string[];
      /** Engagements that the judgement set off. */
      readonly caused: readonly Cause[];
    }
  | {
      /** An action waits again for an event that had ended before. S3.2, S4.2 */
      readonly kind: 'await';
      readonly by: LivingRef;
      readonly engagement: string;
      readonly outcome: EngagementOutcome;
    }
  | {
      /** An event of another operation was accepted where this one was under way. S4.8 */
      readonly kind: 'interrupted';
      readonly participant: LivingRef;
      readonly by: string;
      /**
       * Given where the event is declared to take the place of what was under way: how it stood, cut short. The operation
       * does not wait for it any more.
       */
      readonly outcome?: EngagementOutcome;
    }
  | {
      /** The answer to an inquiry: of these the entity knows nothing. */
      readonly kind: 'unknown';
      readonly participant: LivingRef;
      /** Of the inquiry. */
      readonly round: number;
      readonly engagements: readonly string[];
      readonly judgements: readonly string[];
      readonly anotherLife: boolean;
    }
  | {
      /** A participant has reserved an entity for as long as the operation lasts. S3.6 */
      readonly kind: 'reserved';
      readonly on: EntityRef;
      readonly wait: string;
    }
  | {
      /** Somebody asks to cancel the operation. S4.7 */
      readonly kind: 'cancel';
    };

/** What starts an operation's workflow. */
export interface OperationStart {
  readonly kind: 'start';
  readonly id: string;
  /** For people: `create LogicalServer/orders`. */
  readonly name: string;
  readonly root: EntityRef & { readonly engagement: string; readonly event: string };
  /** Of its root, as far as they are known by now. */
  readonly dimensions: Dimensions;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How many have started before it on the entity in the same millisecond; none when it was the first. S5.1 */
  readonly startOrder?: number;
  /** Milliseconds after which it is marked as hung while it still runs. S5.3 */
  readonly budgetMs?: number;
}

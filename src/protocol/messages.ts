import type { Health } from '../definition/state.js';
import type { EntityRef } from './names.js';
import type { Snapshot } from './snapshot.js';

/*
 * All that crosses a process: between clients, entities and operations. Plain JSON.
 */

/** An error as it is recorded and passed on. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  /** Of a defect, where the worker takes stacks. */
  readonly stack?: string;
}

/** Why an event was not accepted. S2.2 */
export interface Rejection {
  /** `already_in_progress`, `already_done` and others as declared; `not_valid`, `unknown_event`, `invalid_parameters`, `absent`, `request_conflict`. */
  readonly code: string;
  readonly message: string;
  readonly entity: string;
  readonly event: string;
  readonly state?: string;
  /** The events that are valid now. */
  readonly validNow?: readonly string[];
  /** The operation that runs on the entity, if any. */
  readonly operation?: string;
  /** With `invalid_parameters`: each with its path. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** An entity that wants to be told where another one settles. */
export interface Watcher extends EntityRef {
  /** Its run chain: a later entity of the same key is another one. */
  readonly life: string;
  /** It has subscriptions, so each report to it has to be judged before an operation can end. S4.2 */
  readonly judges: boolean;
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
}

/** The immediate answer to one event. */
export type Answer =
  | {
      readonly status: 'accepted';
      readonly operation: string;
      /** Given when the entity settled before the answer was given. */
      readonly outcome?: EngagementOutcome;
      /** It was accepted so long ago that the entity no longer keeps its outcome: its operation may. */
      readonly longAgo?: true;
    }
  | { readonly status: 'waiting'; readonly operation: string; readonly behind: string }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** How an engagement (one event on one entity until it has settled) ended. */
export interface EngagementOutcome {
  readonly state: string;
  readonly version: number;
  readonly health: Health;
  /** The entity rests for its successors: the operation goes on. */
  readonly waiting: boolean;
  /** The last error that no retry made good. */
  readonly error?: ErrorRecord;
  /** The event had waited for an action and was then rejected. */
  readonly rejection?: Rejection;
}

/** What starts an entity's workflow. */
export interface Creation {
  readonly kind: 'create';
  readonly key: string;
  /** Without it, the entity comes to be in its initial state and waits for an event. */
  readonly request?: RaiseRequest;
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
  readonly from: EntityRef & { readonly life: string };
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  /** Grows with each transition; a report that is not newer is ignored. S4.4 */
  readonly version: number;
  readonly outcome: EngagementOutcome;
  /** The request ids that have ended with this. */
  readonly ended: readonly string[];
  readonly judgement?: Judgement;
}

/** Messages from entity to entity. */
export type EntityMessage = { readonly kind: 'raise'; readonly key: string; readonly request: RaiseRequest } | Report;

/** Messages to an operation: late, doubled and reordered ones do no harm. */
export type OperationMessage =
  | {
      readonly kind: 'ended';
      readonly engagement: string;
      readonly participant: EntityRef & { readonly life: string };
      readonly event: string;
      readonly outcome: EngagementOutcome;
      /** Engagements on others that it raised: they are open from now on. */
      readonly caused: readonly string[];
      /** Judgements that are owed for its reports. */
      readonly judgements: readonly string[];
    }
  | {
      /** It had rested for its successors, and has settled since, by an event of another operation. S4.8 */
      readonly kind: 'moved';
      readonly participant: EntityRef & { readonly life: string };
      readonly outcome: EngagementOutcome;
    }
  | {
      readonly kind: 'judged';
      readonly judgements: readonly string[];
      /** Engagements that the judgement set off. */
      readonly caused: readonly string[];
    };

/** What starts an operation's workflow. */
export interface OperationStart {
  readonly kind: 'start';
  readonly id: string;
  /** For people: `create LogicalServer/orders`. */
  readonly name: string;
  readonly root: EntityRef & { readonly engagement: string; readonly event: string };
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

import type { Health } from '../definition/state.js';
import type { Dimensions } from '../protocol/records.js';
import type { EntityRef } from '../protocol/names.js';
import type { ErrorRecord } from '../protocol/error-record.js';
import type { OperationStart } from '../protocol/operation-start.js';
import type { EngagementOutcome } from '../protocol/outcome.js';
import type { LivingRef } from '../protocol/refs.js';
import type { Rejection } from '../protocol/rejection.js';

/** The last report of an entity that takes part. */
export interface Participant extends LivingRef {
  /** The event of this operation that brought it there, where that has ended already. */
  readonly event?: string;
  readonly state: string;
  readonly version: number;
  readonly health: Health;
  /** True where it was in this error state before, and nothing in the operation was to lead it out of it. S5.1 */
  readonly wasInError?: boolean;
  /** Tells whether it rests for its successors, so that the operation waits for it. */
  readonly waiting: boolean;
  /** Tells whether it was terminated by hand before it had settled. S4.4 */
  readonly lost?: boolean;
}

/** An error that no later attempt made good. */
export interface OperationError extends ErrorRecord {
  readonly entity: string;
  readonly event: string;
  /** The request id of that event on that entity. */
  readonly engagement: string;
  /** Tells whether the event was rejected there and the action that has raised it did not expect that. S3.6 */
  readonly rejected?: boolean;
}

export type OperationOutcome = 'success' | 'failed' | 'canceled';

/** An event of another operation that was accepted where this one was under way. S4.8 */
export interface Interruption {
  readonly entity: string;
  /** The other operation. */
  readonly by: string;
  readonly ends: boolean;
}

/** A participant has refused a request to cancel the operation: it does not take the event that is declared for that now. S4.7 */
export interface CancelRefusal {
  /** `LogicalServer/orders` */
  readonly entity: string;
  /** The event that handles a request to cancel, or `cancel` where none is declared. */
  readonly event: string;
  readonly code: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something that has to end before the operation can: an engagement, or the judgement of a report. */
export interface Item {
  readonly id: string;
  readonly kind: 'engagement' | 'judgement';
  /** The entity that has to end it: `LogicalServer/orders`. */
  readonly on: string;
  readonly state: 'open' | 'ended' | 'lost';
  /** Of an engagement: its event, where what has caused it says so. */
  readonly event?: string;
  /** Tells whether this is a judgement for which no action waits; the operation itself does. */
  readonly deferred?: boolean;
  /** The positions of the items that caused it. */
  readonly causes: readonly number[];
}

/** An action that waits until everything which an event has set off has settled. */
export interface Await {
  readonly by: LivingRef;
  /** The position of the item of that event. */
  readonly item: number;
  /** How the event itself ended. */
  readonly outcome: EngagementOutcome;
}

/** A reservation that ends with the operation. */
export interface OperationReservation {
  readonly on: EntityRef;
  readonly wait: string;
}

/** Describes how far an operation is: plain JSON, carried from run to run, read by queries. */
export interface OperationStatus {
  readonly id: string;
  readonly name: string;
  readonly root: OperationStart['root'];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Shows how many operations have started before it on its entity in the same millisecond; none when it was the first. S5.1 */
  readonly startOrder?: number;
  readonly endedAt?: number;
  readonly budgetMs?: number;
  readonly dimensions: Dimensions;
  /** Resumptions after a failure, of all participants. */
  readonly restarts: number;
  readonly outcome: OperationOutcome | 'running';
  /** Is true if it runs for longer than its budget. It becomes false when the operation ends. S5.3 */
  readonly hung: boolean;
  /** Shows if a cancel was requested, if a participant has honoured that, or if all that were asked have refused. S4.7 */
  readonly cancel: 'none' | 'requested' | 'honoured' | 'refused';
  /** The participants that have refused the last request to cancel that they got. Absent where none has. S4.7 */
  readonly refusals?: readonly CancelRefusal[];
  readonly items: readonly Item[];
  /** The participants by entity and life. */
  readonly participants: Readonly<Record<string, Participant>>;
  /** Participants that rest in a waiting state, with the positions of the items that brought them there. */
  readonly waiting: Readonly<Record<string, readonly number[]>>;
  readonly awaits: readonly Await[];
  readonly interruptions: readonly Interruption[];
  /** The reservations of participants that last as long as the operation. S3.6 */
  readonly reservations: readonly OperationReservation[];
  readonly errors: readonly OperationError[];
  /** Raises that were rejected, and accepted when a later attempt repeated them. */
  readonly madeGood: readonly string[];
  /** The rejection of the event that opened the operation, where that had waited first. */
  readonly rejection?: Rejection;
}

/** Describes what a person or a program that waited for the operation needs to know. */
export interface OperationResult {
  readonly id: string;
  readonly name: string;
  /** The event that opened it, and the entity on which it was raised. */
  readonly root: OperationStart['root'];
  readonly dimensions: Dimensions;
  readonly outcome: OperationOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly participants: readonly Participant[];
  readonly errors: readonly OperationError[];
  readonly rejection?: Rejection;
  /** The participants that have refused to cancel it. Absent where none has. S4.7 */
  readonly refusals?: readonly CancelRefusal[];
  /** Present where it has settled on the entity on which it was opened, and needed no workflow. */
  readonly unfollowed?: true;
}

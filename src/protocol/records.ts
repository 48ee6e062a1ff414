import type { Health } from '../definition/state.js';
import type { ErrorRecord } from './error-record.js';
import type { EngagementOutcome } from './outcome.js';
import type { LivingRef } from './refs.js';
import type { Actor } from './actor.js';
import type { Rejection } from './rejection.js';

/*
 * What happened, as it is told to the store: plain JSON, made by entities and operations as they decide. S5.1
 *
 * Each record names what it is about, so it can be written any number of times and in any order: a newer one replaces an
 * older one of the same name, an older one changes nothing. S5.2
 */

/** What the rows of the store are made of. */
export type StoreRecord = OperationRecord | EventRecord | TransitionRecord | EntityRecord | DecisionRecord;

/** What rows are found by, as declared: `{ logical_server_id: 'orders' }`. S1.1 */
export type Dimensions = Readonly<Record<string, string>>;

/** How an operation ended, or that it has not: `hung` is past its budget and still runs. S5.3 */
export type RecordedOutcome = 'running' | 'hung' | 'success' | 'failed' | 'canceled';

/** An operation. One with an end is newer than one without; of those without, `hung` is newer than `running`. */
export interface OperationRecord {
  readonly kind: 'operation';
  /** The request id, which names the operation everywhere. */
  readonly id: string;
  /** For people: `create LogicalServer/orders`. */
  readonly name: string;
  /** All times are milliseconds since 1970. */
  readonly startedAt: number;
  /** How many have started before it on its entity in the same millisecond; none when it was the first. */
  readonly startOrder?: number;
  /** When the entity first answered the request. */
  readonly answeredAt: number;
  readonly endedAt?: number;
  readonly outcome: RecordedOutcome;
  /** Sums up the errors of the participants. */
  readonly error?: ErrorRecord;
  /** Resumptions after a failure, of all participants. */
  readonly restarts: number;
  readonly dimensions: Dimensions;
}

/** What most outcomes do not have. */
export type OutcomeDetails = Partial<Omit<EngagementOutcome, 'state' | 'version' | 'health'>>;

/** One event on one entity, from being raised until the entity has settled. One with an end is newer than one without. */
export interface EventRecord {
  readonly kind: 'event';
  /** Of the request: unique on this life of the entity. */
  readonly id: string;
  readonly entity: LivingRef;
  /** The operation to which it belongs: its request id. */
  readonly operation: string;
  /** The place of the entity in the tree of the operation: `1` is the root, `1.2` the second that this one set to work. */
  readonly position: string;
  readonly event: string;
  readonly eventType: 'raised' | 'subscription' | 'timer';
  readonly startState: string;
  /** The version of the entity when the event was accepted. */
  readonly startVersion: number;
  readonly startedAt: number;
  /** How many have started before it on the entity in the same millisecond; none when it was the first. */
  readonly startOrder?: number;
  /** Of event and parameters, where it was accepted and its request can come again. S2.5 */
  readonly fingerprint?: string;
  readonly endState?: string;
  readonly endHealth?: Health;
  /** The version of the entity when the event had settled. */
  readonly endVersion?: number;
  /** What else there is to say of how it ended. */
  readonly endDetails?: OutcomeDetails;
  readonly endedAt?: number;
  /** The last error that any action reported while the event was processed, also one that a retry made good. */
  readonly error?: ErrorRecord;
  /** The last exception, unless it was made good: a defect thrown by an action. Its stack, where the worker takes stacks, is in the record. */
  readonly exception?: ErrorRecord;
  /** Resumptions after a failure. */
  readonly restarts: number;
  readonly dimensions: Dimensions;
  /** How its operation ended with it, where that has no workflow of its own, which would tell. */
  readonly ends?: Pick<OperationRecord, 'outcome' | 'error'>;
}

/** One transition: there is exactly one for each version of an entity's life. It never changes. */
export interface TransitionRecord {
  readonly kind: 'transition';
  readonly entity: LivingRef;
  /** The version that the entity came to by it. */
  readonly version: number;
  readonly operation: string;
  /** The id of the event to which it belongs. */
  readonly event: string;
  /** Of the transition within its event, from 1. */
  readonly ordinal: number;
  /** `Event` is entry by creation. */
  readonly type: 'Event' | 'EventAction' | 'AutoAction';
  /** None with `Event`. */
  readonly action?: string;
  readonly startState: string;
  readonly startHealth: Health;
  /** When the start state was entered. */
  readonly startEnteredAt: number;
  /** When the event was received, or the execution of the automatic action that moved began. */
  readonly startedAt: number;
  /** Executions of the automatic action before this one, since the state was entered. */
  readonly retries: number;
  readonly endState: string;
  readonly endHealth: Health;
  readonly at: number;
  readonly actionStartedAt?: number;
  /** What the action came to. `failed`, `exhausted` and `aborted`: nothing of it took effect. */
  readonly outcome: 'success' | 'error' | 'failed' | 'exhausted' | 'aborted';
  readonly error?: ErrorRecord;
  /** To whom the entity belongs. S6.5 */
  readonly tenant?: string;
}

/** An entity as it stands. The one with the later birth, then the later time, then the higher version is the newer one. */
export interface EntityRecord {
  readonly kind: 'entity';
  readonly entity: LivingRef;
  readonly bornAt: number;
  readonly version: number;
  readonly state: string;
  readonly health: Health;
  /** Nothing is under way on it, and nothing that has come waits for its turn. S6.1 */
  readonly settled: boolean;
  /** From when on it does not get on until a person acts, as far as it knows itself. S5.4 */
  readonly stuckSince?: number;
  /** It reads as gone. */
  readonly deleted: boolean;
  readonly enteredAt: number;
  /** The operation that runs on it. */
  readonly operation?: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly dimensions: Dimensions;
  /** When the entity said this. */
  readonly at: number;
}

/** What an entity has decided on a plain signal: of each that names an actor, and of each that it has dropped. It never changes. S6.5 */
export interface DecisionRecord {
  readonly kind: 'decision';
  /** Of the request and the version of the entity: unique on this life. */
  readonly id: string;
  readonly entity: LivingRef;
  readonly event: string;
  /** The request id; none where the signal was malformed. */
  readonly request?: string;
  readonly actor?: Actor;
  /** Why it was dropped, and in which state. */
  readonly rejection?: Pick<Rejection, 'code' | 'message'> & { readonly state: string };
  /** To whom the entity belongs. */
  readonly tenant?: string;
  readonly at: number;
}

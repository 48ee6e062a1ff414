import type { Health } from '../definition/state.js';
import type { CallStep } from './call-step.js';
import type { ComponentRecord, DeploymentRecord } from './deployment-records.js';
import type { ErrorRecord } from './error-record.js';
import type { InstanceRecord } from './instance-record.js';
import type { JobsRecord } from './jobs-record.js';
import type { EngagementOutcome } from './outcome.js';
import type { LivingRef } from './refs.js';
import type { Actor } from './actor.js';
import type { Rejection } from './rejection.js';

/*
 * The records of what happened, for the store: plain JSON that entities and operations make as they decide. S5.1
 *
 * Each record names what it is about, so it can be written any number of times and in any order: a newer one replaces an older
 * one of the same name, an older one changes nothing. S5.2
 */

/** A record: the rows of the store are made of these. */
export type StoreRecord =
  | OperationRecord
  | EventRecord
  | TransitionRecord
  | EntityRecord
  | DecisionRecord
  | DeploymentRecord
  | ComponentRecord
  | InstanceRecord
  | JobsRecord;

/** The declared dimensions, by which rows are found: `{ logical_server_id: 'orders' }`. S1.1 */
export type Dimensions = Readonly<Record<string, string>>;

/** How an operation ended, or that it has not: `hung` is past its budget and still runs. S5.3 */
export type RecordedOutcome = 'running' | 'hung' | 'success' | 'failed' | 'canceled';

/** An operation. A record with an end is newer than one without; of two without, `hung` is newer than `running`. */
export interface OperationRecord {
  readonly kind: 'operation';
  /** The request id, which names the operation everywhere. */
  readonly id: string;
  /** The name for people: `create LogicalServer/orders`. */
  readonly name: string;
  /** All times are milliseconds since 1970. */
  readonly startedAt: number;
  /** How many have started before it on its entity in the same millisecond; none when it was the first. */
  readonly startOrder?: number;
  /** When the entity first answered the request. */
  readonly answeredAt: number;
  readonly endedAt?: number;
  readonly outcome: RecordedOutcome;
  /** The first error of a participant that was not made good. */
  readonly error?: ErrorRecord;
  /** The errors of all participants in one text, with their entities, where it says more than the error. */
  readonly summary?: string;
  /** Resumptions after a failure, of all participants. */
  readonly restarts: number;
  readonly dimensions: Dimensions;
  /**
   * The workflow that tells it, where that is not one of its own: the entity on which it settled, `LogicalServer/orders`, or the
   * instance of a distributed operation. S5.6
   */
  readonly settledOn?: string;
}

/** The parts that most outcomes do not have. */
export type OutcomeDetails = Partial<Omit<EngagementOutcome, 'state' | 'version' | 'health'>>;

/** One event on one entity, from being raised until the entity has settled. A record with an end is newer than one without. */
export interface EventRecord {
  readonly kind: 'event';
  /** The request id: unique in this life of the entity. */
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
  /** The fingerprint of event and parameters, where the event was accepted and its request can come again. S2.5 */
  readonly fingerprint?: string;
  readonly endState?: string;
  readonly endHealth?: Health;
  /** The version of the entity when the event had settled. */
  readonly endVersion?: number;
  /** Further details of its outcome. */
  readonly endDetails?: OutcomeDetails;
  readonly endedAt?: number;
  /** The last error that any action reported while the event was processed, even if a later attempt made it good. */
  readonly error?: ErrorRecord;
  /**
   * The last exception, unless it was made good: a defect that an action has thrown, with its stack where the worker takes
   * stacks.
   */
  readonly exception?: ErrorRecord;
  /** Resumptions after a failure. */
  readonly restarts: number;
  readonly dimensions: Dimensions;
  /** Tells whether it was open when its entity honoured a cancel of its operation. S4.7, S5.1 */
  readonly canceled?: true;
  /** How its operation ended with it, where the operation has no workflow of its own that tells this. */
  readonly ends?: Pick<OperationRecord, 'outcome' | 'error'>;
}

/** A change that a transition has made to what an entity holds: to a property, a link, or a member of its subordinates. */
export interface ContentsChange {
  readonly part: 'properties' | 'links' | 'subordinates';
  readonly name: string;
  /** Of a member of subordinates: its key. */
  readonly key?: string;
  /** The value that it has become; absent where it is gone. */
  readonly value?: unknown;
  /** It has become something too large to be kept with each version: of subordinates, all members. */
  readonly leftOut?: true;
}

/** One transition: there is exactly one for each version of an entity's life. It never changes. */
export interface TransitionRecord {
  readonly kind: 'transition';
  readonly entity: LivingRef;
  /** The version of the entity after it. */
  readonly version: number;
  readonly operation: string;
  /** The id of the event to which it belongs. */
  readonly event: string;
  /** The number of the transition within its event, from 1. */
  readonly ordinal: number;
  /** `Event` is entry by creation; `Migration` is the way to a newer schema, which has no action either. */
  readonly type: 'Event' | 'EventAction' | 'AutoAction' | 'Migration';
  /** Absent with `Event` and `Migration`. */
  readonly action?: string;
  readonly startState: string;
  readonly startHealth: Health;
  /** When the start state was entered. */
  readonly startEnteredAt: number;
  /** When the event was received, or when the execution of the automatic action began. */
  readonly startedAt: number;
  /** Executions of the automatic action before this one, since the state was entered. */
  readonly retries: number;
  readonly endState: string;
  readonly endHealth: Health;
  readonly at: number;
  readonly actionStartedAt?: number;
  /** The calls that the action has made, so far as they are listed. A2 */
  readonly calls?: readonly CallStep[];
  /** How the action ended. With `failed`, `exhausted` and `aborted`, nothing of it took effect. */
  readonly outcome: 'success' | 'error' | 'failed' | 'exhausted' | 'aborted';
  readonly error?: ErrorRecord;
  /** The changes that it has made to what the entity holds; absent where there are none. The first one has them always. S5.1 */
  readonly changes?: readonly ContentsChange[];
  /** The tenant of the entity. S6.5 */
  readonly tenant?: string;
}

/** An answer from outside that an entity awaits: that to a call, or one that raises an event. A2 */
export interface AwaitedCallback {
  /** Names it, as for `reeve callbacks`. */
  readonly id: string;
  /** The call that is answered: `approvals.ask`. */
  readonly call?: string;
  /** The event that is raised by the answer. */
  readonly event?: string;
  /** Since when, and until when at most, in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

/**
 * Something that an entity waits for, in its action or in its state:
 * - `answer`: the answer from outside to a call; `on` is the call, `approvals.ask`
 * - `event`: that an event which its action has raised has settled; `on` is the other entity
 * - `reservation`: to reserve another entity
 * - `address`: an answer from outside that raises the event `on`
 * - `successors`: a pattern among its successors; `on` says which
 * - `attempt`: the time at which its automatic action `on` runs for the first time
 * - `timer`: the time at which the event `on` is raised
 */
export interface RecordedWait {
  readonly kind: 'answer' | 'event' | 'reservation' | 'address' | 'successors' | 'attempt' | 'timer';
  readonly on: string;
  /** Of `event`: which event. */
  readonly event?: string;
  /** Since when, and until when at most, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** The list of what an entity waits for from a time on, as an entity record says it. A later one of the same life takes its place. A6 */
export interface ToldWaits {
  readonly life: string;
  readonly version: number;
  /** Empty where it waits for nothing. */
  readonly waits: readonly RecordedWait[];
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** The part of an entity record that the feed tells. A6 */
export function toldWaits({ entity: { life }, version, waits = [], at }: EntityRecord): ToldWaits {
  return { life, version, waits, at };
}

/** Why an entity needs a person, as far as it knows itself. S5.4 */
export interface EntityNeed {
  /** In milliseconds since 1970. */
  readonly since: number;
  /** `exhausted`, `dead_end` or `error_state`. */
  readonly reason: string;
  /** A clause for people: `all attempts of 'install' are used up`. */
  readonly message: string;
  /** The error that has led to it. */
  readonly error?: Pick<ErrorRecord, 'kind' | 'code' | 'message'>;
  /** The operation that has led it to an error state, where it has no error of its own. */
  readonly operation?: string;
}

/**
 * An entity as it stands. The record with the later birth is the newer one, then the one with the later time, then the one with
 * the higher version.
 */
export interface EntityRecord {
  readonly kind: 'entity';
  readonly entity: LivingRef;
  readonly bornAt: number;
  readonly version: number;
  /** The schema of the declaration to which it has come; absent for 1. Q2 */
  readonly schema?: number;
  readonly state: string;
  readonly health: Health;
  /** Tells whether nothing is under way on it, and nothing that has come waits for its turn. S6.1 */
  readonly settled: boolean;
  /** Since when it is stuck, as far as it knows itself. S5.4 */
  readonly stuckSince?: number;
  /** Why it needs a person; absent where it needs nobody. S5.4 */
  readonly need?: EntityNeed;
  /** Tells whether it was deleted, so that it reads as gone. */
  readonly deleted: boolean;
  readonly enteredAt: number;
  /** The operation that runs on it. */
  readonly operation?: string;
  /** The answers that it awaits from outside, the 100 oldest at most; absent where it awaits none. A2 */
  readonly callbacks?: readonly AwaitedCallback[];
  /** The things that it waits for, the 100 most important ones at most; absent where it waits for nothing. A6 */
  readonly waits?: readonly RecordedWait[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly dimensions: Dimensions;
  /** When the entity said this. */
  readonly at: number;
}

/**
 * The decision of an entity on a plain signal: on each that names an actor, and on each that it has dropped. The record never
 * changes. S6.5
 */
export interface DecisionRecord {
  readonly kind: 'decision';
  /** Made of the request and the version of the entity: unique in this life. */
  readonly id: string;
  readonly entity: LivingRef;
  readonly event: string;
  /** The request id; none where the signal was malformed. */
  readonly request?: string;
  readonly actor?: Actor;
  /** Why it was dropped, and in which state. */
  readonly rejection?: Pick<Rejection, 'code' | 'message'> & { readonly state: string };
  /** The tenant of the entity. */
  readonly tenant?: string;
  readonly at: number;
}

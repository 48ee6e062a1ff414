import type { Calendar } from '../definition/calendar/calendar.js';
import type { Journal } from './action-journal.js';
import type { Chain } from './chain.js';
import type { EntityRef } from './names.js';
import type { Dimensions } from './records.js';
import type { AskedSeal, HeldReservation, Reservation, Reserver } from './kept-reservation.js';
import type { Hold } from './reservation.js';
import type { EntityMessage } from './entity-message.js';
import type { ErrorRecord } from './error-record.js';
import type { Cause } from './operation-message.js';
import type { EngagementOutcome } from './outcome.js';
import type { LivingRef } from './refs.js';
import type { CallSteps } from './call-step.js';
import type { CallbackCall, EventAddress, QuestionWithdrawal } from './callback.js';
import type { Judgement } from './report.js';
import type { SeenEntity, View } from './reading.js';
import type { RefusedBirth, Rejection } from './rejection.js';
import type { RaiseRequest, Watcher } from './request.js';
import type { StateDeployment } from './state-deployment.js';

/** One event on this entity, from being raised until the entity has settled. */
export interface Engagement {
  readonly id: string;
  readonly event: string;
  readonly eventType: 'raised' | 'subscription' | 'timer';
  readonly operation: string;
  /** Tells whether the operation has a workflow of its own. One that concerns nobody else and ends in a moment needs none. */
  readonly opened: boolean;
  /** For how many milliseconds its caller waits for the answer. Its operation goes without a workflow for that long. */
  readonly holdMs?: number;
  /** The place of the entity in the tree of the operation: `1` is the root, `0` has joined without being set to work. */
  readonly position: string;
  readonly startState: string;
  /** The version of the entity when the event was accepted. */
  readonly startVersion: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How many have started before it on the entity in the same millisecond; none when it was the first. S5.1 */
  readonly startOrder?: number;
  /** Transitions that belong to it so far. */
  readonly transitions: number;
  /** Tells whether nothing in its operation has caused it: time has raised it while the entity was at rest. */
  readonly uncaused?: true;
  /** Engagements on others that it raised. */
  readonly caused: readonly Cause[];
  /** The entity whose action waits until everything that the event sets off has settled. S4.2 */
  readonly awaiter?: LivingRef;
  /** Tells whether a rejection of it would fail the operation, since nobody expects that it may be rejected. S3.6 */
  readonly unexpected?: boolean;
  /** Milliseconds after which the operation that it opens counts as hung. S5.3 */
  readonly budgetMs?: number;
  /** The last error that no later attempt made good. */
  readonly error?: ErrorRecord;
  /** The last error of any action, even if a later attempt made it good. */
  readonly reported?: ErrorRecord;
  /** The last exception: a defect that an action has thrown, and that no later action has made good by ending well. */
  readonly exception?: ErrorRecord;
  /** True where the entity was in an error state before, and the event was not to lead it out of it. S5.1 */
  readonly wasInError?: boolean;
  /** How often it was resumed after a failure. S5.1 */
  readonly restarts?: number;
  /** Tells whether its action was aborted. */
  readonly canceled?: boolean;
  /** The fingerprint of event and parameters, where its request can come again. S2.5 */
  readonly fingerprint?: string;
  /** The dimensions of its rows, as they were after the first transition. S5.1 */
  readonly dimensions?: Dimensions;
}

/** An error that no later attempt made good. */
export interface Failure extends Omit<ErrorRecord, 'stack'> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The request id of the operation in which it came. */
  readonly operation: string;
}

/** An entity that this one created, or on which it raised an event. */
export interface Successor extends EntityRef {
  readonly role?: string;
  /** Known once it has reported. */
  readonly life?: string;
  readonly operation: string;
  /** Its place in the tree of that operation. */
  readonly position: string;
  /** The last event raised on it. */
  readonly request: string;
  readonly event: 'pending' | 'accepted' | 'rejected' | 'settled';
  /** The version of its last report; 0 before the first. */
  readonly version: number;
  readonly outcome?: EngagementOutcome;
  /** Tells whether it rests for its successors, though not for this operation, by its last report. */
  readonly restsForOthers?: true;
  /** Tells whether it was absent at the last look, or the keeper says that it may be. */
  readonly missed?: boolean;
  /** The life that did not end by itself, as the keeper has told. */
  readonly ended?: string;
}

/** An entity that is told where this one settles, and for how long. S4.4 */
export interface KeptWatcher extends Watcher {
  /** The operation of the last event that it raised here. */
  readonly operation: string;
  /** Tells whether its event created this entity. */
  readonly creator?: true;
  /** Tells whether it is told only of the deletion of this entity. */
  readonly onlyEnd?: true;
}

/**
 * The fingerprints of what an action has asked for, by their names (`1/fill/disks.create/3`). A `!` follows where a call was answered,
 * and a `~` where an event has changed what the entity holds since. S3.4
 */
export type AskedNames = Readonly<Record<string, string>>;

/** The action that runs now. */
export interface RunningAction {
  readonly action: string;
  readonly kind: 'event' | 'automatic';
  readonly params?: unknown;
  /** The subscription that started it. */
  readonly subscription?: string;
  /** The periodic timer that started it. */
  readonly timer?: string;
  /** The deployment whose end started it. */
  readonly deployment?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Tells whether it is being aborted: nothing of it will take effect. S3.2 */
  readonly aborted?: boolean;
  /** When an aborted action ends in any case, though its calls may go on; in milliseconds since 1970. */
  readonly endsBy?: number;
  /** Other operations that its event has ended, to take their place. S4.8 */
  readonly replaces?: readonly string[];
  /** All that it waits for on other entities. S3.8 */
  readonly awaits?: readonly Awaited[];
  /** The calls that it has made. A2 */
  readonly calls?: CallSteps;
  /** The names under which it has asked for something. */
  readonly asked?: AskedNames;
  /** How often it was postponed because its reservations had closed a circle of waiting. */
  readonly restarts?: number;
  /** All that it has learnt in earlier runs of the entity, so that it goes on where it was. A1 */
  readonly journal?: Journal;
  /** All that it has reserved. S3.6 */
  readonly holds?: readonly HeldReservation[];
  /**
   * The seals for which it waits: it has ended, and is committed when all entities that it has reserved promise to admit its
   * events. S3.6
   */
  readonly seals?: readonly AskedSeal[];
}

/** An action that is to run again, since its reservations had closed a circle of waiting. S3.6 */
export interface PostponedAction {
  readonly running: RunningAction;
  /** When it runs, in milliseconds since 1970. */
  readonly at: number;
  /** The entry into the state in which it ran. */
  readonly entry: number;
  /** The engagement of the event that had started it. */
  readonly engagement?: Engagement;
}

/** Something that the running action waits for, on another entity or from outside. S3.8, A1 */
export type Awaited = {
  /** Names the wait: no two have the same name. */
  readonly wait: string;
  /** `LogicalServer/orders`; of an answer from outside the call, `approvals.ask`. */
  readonly on: string;
  /** When the action stops waiting, in milliseconds since 1970. */
  readonly until: number;
  readonly place?: Place;
  /** Tells whether an earlier run has left it, and the code that runs again has yet to take it up. */
  readonly left?: true;
  /** All that was asked again, of a wait on another entity. */
  readonly inquiries?: Inquiries;
  /** The answer of the other entity, until the code of the action goes on with it. */
  readonly answer?: AwaitAnswer;
} & (
  | {
      /** An event that it has raised, and all that this sets off. */
      readonly kind: 'event';
      readonly engagement: string;
      readonly event: string;
    }
  | { readonly kind: 'view' }
  | { readonly kind: 'reservation'; readonly hold: Hold }
  /** The promise of a reserved entity to admit what the action is about to raise on it, this event first. */
  | { readonly kind: 'seal'; readonly event: string }
  /** The answer from outside to a call: `on` is the call, `approvals.ask`. */
  | { readonly kind: 'answer' }
);

/** How a wait on another entity ended. */
export type AwaitAnswer =
  /** The action waits for itself: the names of the circle. */
  | { readonly kind: 'refused'; readonly circle: readonly string[] }
  | { readonly kind: 'outcome'; readonly outcome: EngagementOutcome }
  /** How the other entity is, where it exists, and its reservation. */
  | { readonly kind: 'view'; readonly view?: SeenEntity; readonly granted?: NonNullable<View['granted']> }
  | { readonly kind: 'sealed'; readonly rejection?: Rejection };

/** Where an action has begun to wait: when its code runs again in a new run, it takes up the same wait there. */
export interface Place {
  /** The number of its request; none when its code had ended. */
  readonly ask?: number;
  /** Tells apart the waits that belong to one request. */
  readonly part?: string;
}

/** All that was asked again because an answer had not come. Times are in milliseconds since 1970. */
export interface Inquiries {
  /** The round of the last probe. */
  readonly round: number;
  readonly probes: number;
  readonly probeAt: number;
  readonly looks: number;
  readonly lookAt: number;
}

/** A request that an entity remembers with its outcome. S2.5 */
export interface LedgerEntry {
  readonly id: string;
  readonly event: string;
  /** The fingerprint of event and parameters: the same id with other content is an error. */
  readonly fingerprint: string;
  readonly operation: string;
  readonly outcome?: EngagementOutcome;
  /** Tells whether an operation with a workflow of its own follows it, and so knows more than the outcome on this entity. */
  readonly followed?: boolean;
  /** The earlier life of this key in which it ended; none when it is this one. */
  readonly life?: string;
}

/** All that is known of a set of request ids by their times. */
export interface Horizon {
  /** The latest of their times, in milliseconds since 1970. None when none has one. */
  readonly time?: number;
  /** Tells whether some of them carry no time. */
  readonly untimed?: true;
}

/** Requests of long ago, as sorted fingerprints. */
export interface OlderRequests extends Horizon {
  readonly fingerprints: string;
}

/** How many requests a ledger remembers. */
export interface LedgerSizes {
  /** How many are remembered with their outcome. */
  readonly recent: number;
  /** How many of them become older ones at a time. */
  readonly group: number;
  /** How many older ones a block has, and how many blocks there are. */
  readonly block: number;
  readonly blocks: number;
}

/** The requests that an entity has accepted, in this life and the ones before it: the same id again runs nothing. S2.5 */
export interface Ledger {
  /** The latest requests, and all that have not ended; the newest last. */
  readonly recent: readonly LedgerEntry[];
  /** The requests before these; the newest last. */
  readonly older: readonly OlderRequests[];
  /** How many of the oldest only the store knows. */
  readonly forgotten: number;
  /** The horizon of these forgotten ids. A later id is known to be new. */
  readonly horizon?: Horizon;
  /**
   * Present until the store has said whether the key had earlier lives. The ids of such lives are from before this time, or
   * carry no time.
   */
  readonly unasked?: number;
  /** The sizes of the ledger, where they are not the usual ones. */
  readonly sizes?: LedgerSizes;
}

/** A judgement that this entity owes. */
export interface KeptJudgement extends Judgement {
  /** Tells whether no action waits for it: the operations know that, or need not know. */
  readonly deferred?: boolean;
}

/** The next tick of a timer by calendar. All times are milliseconds since 1970. */
export type CalendarTick =
  /** The first tick after this time has yet to be decided. */
  | { readonly after: number; readonly at?: never }
  /** It was decided by this calendar. */
  | ({ readonly at: number } & Calendar);

/** Everything that an entity is: plain JSON, carried from run to run, read by queries. */
export interface Snapshot extends EntityRef {
  /** The run chain: another life of the same key is another entity. */
  readonly life: string;
  /** The schema of the declaration to which it has come; 1 where it is left out (`schemaVersionOf`). Q2 */
  readonly schema?: number;
  /** Shows when it was created, in milliseconds since 1970. */
  readonly bornAt: number;
  /** The tenant to which it belongs, for good. None where its type has no tenants, or it was created for none. S6.5 */
  readonly tenant?: string;
  readonly state: string;
  /** Grows by one with each transition, re-entries included. S3.7 */
  readonly version: number;
  /** Grows with each entry into a state and each next round, not with another attempt. It is part of the names of resource calls. S3.4 */
  readonly entry: number;
  /** Shows when the state was entered, in milliseconds since 1970: deadlines and time-outs run from here. */
  readonly enteredAt: number;
  /** The next ticks of the timers with a period whose events are valid in the state, in milliseconds since 1970. */
  readonly ticks: Readonly<Record<string, number>>;
  /**
   * The ticks of timers by calendar, by the timer. They are decided outside of the workflow and kept: the data of time zones change.
   * S4.5
   */
  readonly calendar?: Readonly<Record<string, CalendarTick>>;
  /**
   * From when deadlines and time-outs of the state run that a migration has brought, or that have raised their event in vain, in
   * milliseconds since 1970. The others run from the entry into the state. S4.5, Q2
   */
  readonly clocks?: Readonly<Record<string, number>>;
  readonly properties: Readonly<Record<string, unknown>>;
  /** A key, or a list of keys, by the name of the link. */
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  /** The members of each collection, by their key. */
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  /** Executions of the automatic action since the state was entered, the running one included. */
  readonly attempt: number;
  /** How many of them ended with the errors for whose codes the state has rules, by the code. */
  readonly failedBy?: Readonly<Record<string, number>>;
  /** Shows when the automatic action runs (again). */
  readonly nextAttemptAt?: number;
  /** Is true if the attempts are used up and no state is declared for that, so that an operator has to act. */
  readonly exhausted: boolean;
  /** Shows since when the attempts are used up, in milliseconds since 1970. It has no meaning while `exhausted` is false. */
  readonly exhaustedAt?: number;
  /** The event whose action went round, where that was no automatic action. It has no meaning while `exhausted` is false. */
  readonly exhaustedBy?: string;
  /**
   * The chain of actions of which the last one here was a part, unless it began one; and whether the automatic action runs only after
   * a wait, so that it begins one. S1.5a
   */
  readonly chain?: Chain & { readonly waits?: true };
  /** When a chain was too long here, in milliseconds since 1970, unless an event from outside has come since. chain.5 */
  readonly wentRoundAt?: number;
  /** The error of the execution before, of an action of this state. */
  readonly lastError?: ErrorRecord;
  /** The operation that led it into the error state in which it is. S5.1 */
  readonly erredIn?: string;
  /** The last failure, until the entity rests in a healthy state after an action that went well. S5.4 */
  readonly failure?: Failure;

  /** The operation under which the state was entered, and whether it is known to go on. */
  readonly operation?: { readonly id: string; readonly open: boolean; readonly position: string };
  /**
   * Operations to which this entity reported last that it rests for its successors. They are told where it settles next, even
   * when an event of another operation has moved it.
   */
  readonly awaiting: readonly string[];
  readonly running?: RunningAction;
  readonly postponed?: PostponedAction;
  /** Set when the run has become long: nothing begins in it any more, and what comes waits for the next run. */
  readonly rollingOver?: true;
  /** Set while a task ends before the events that wait have all had their turn: what comes waits behind them. */
  readonly yielding?: true;
  /**
   * While it is set: since when (milliseconds since 1970), and the subscriptions whose pattern was not there then. Where the
   * next run begins with a newer schema, only these can have become due meanwhile. Q2
   */
  readonly leaving?: { readonly since: number; readonly unmatched: readonly string[] };
  /** The open engagements, the latest last. */
  readonly engagements: readonly Engagement[];
  /** Shows when the last event or operation started here (milliseconds since 1970), and how many started in that millisecond. S5.1 */
  readonly starts?: { readonly at: number; readonly count: number };
  /** Events that came while an action ran. S2.3 */
  readonly waiting: readonly RaiseRequest[];

  /** The other entity that has reserved this one. S3.6 */
  readonly reservation?: Reservation;
  /** The entities that wait for a reservation. */
  readonly reservers: readonly Reserver[];
  /** The fence of the last reservation; 0 before the first. */
  readonly fence: number;
  /** Reservations on others that last as long as an operation. */
  readonly holds: readonly HeldReservation[];

  readonly successors: readonly Successor[];
  /** Requests that the automatic action has raised since the entry into the state, and that were rejected. */
  readonly rejectedRaises?: readonly string[];
  /** Shows when successors were last looked after or heard of (milliseconds since 1970), and how many looks nobody answered. */
  readonly look?: { readonly since: number; readonly count: number };
  readonly watchers: readonly KeptWatcher[];
  /** Subscriptions whose match has been used up. */
  readonly used: readonly string[];
  /** After a subscription's action has failed: when its match counts again, and how often it has failed in a row. */
  readonly rearm?: { readonly at?: number; readonly failures: number };
  /** Reports received whose judgement the operations still wait for. */
  readonly judgements: readonly KeptJudgement[];

  /** The names under which earlier attempts have asked: none can stand for something else. S3.4 */
  readonly asked?: AskedNames;
  /** Calls that are answered from outside, since the entry into the state. A1 */
  readonly callbacks?: readonly CallbackCall[];
  /** Questions that were closed without an answer, and of which their providers have yet to be told. A3 */
  readonly withdrawals?: readonly QuestionWithdrawal[];
  /** Addresses by which events can be raised from outside, since the entry into the state. A2 */
  readonly addresses?: readonly EventAddress[];

  /** Shows what its states have deployed: at most one for the present state, and those of earlier ones until they have ended. W1 */
  readonly deployments?: readonly StateDeployment[];

  readonly ledger: Ledger;
  /** Messages that wait for the store to say whether their request is new; in order. S2.5 */
  readonly doubted?: readonly EntityMessage[];
  /** The event that should have begun another life of the key after this one, and was rejected. */
  readonly refused?: RefusedBirth;
  /** The last signal that was dropped because it was malformed, rejected or unknown; with its request id, where it gave one. */
  readonly dropped?: {
    readonly signal: string;
    readonly reason: string;
    readonly at: number;
    readonly request?: string;
  };
}

/** An entity as it is to a build of an older schema: what the way back of the newer build's migrations has made of it. Q2 */
export interface OlderContents extends Pick<Snapshot, 'state' | 'properties' | 'links' | 'subordinates'> {
  /** Tells whether it is in another state than before, and not only in one of another name. */
  readonly moved: boolean;
  /** The names of its events there, where those are certain: the old name by the present one. */
  readonly events: Readonly<Record<string, string>>;
}

/** The schema of the declaration to which a snapshot has come: an older one is migrated when a run begins with it. Q2 */
export function schemaVersionOf({ schema = 1 }: Pick<Snapshot, 'schema'>): number {
  return schema;
}

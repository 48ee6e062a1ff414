import type { TreeProgram } from '../../components/index.js';
import type { CallMode } from '../../definition/resource.js';
import type { CallbackQuestion, QuestionWithdrawal } from '../../protocol/callback.js';
import type { Creation } from '../../protocol/creation.js';
import type { DeploymentMessage } from '../../protocol/deployment.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { OperationStart } from '../../protocol/operation-start.js';
import type { EntityRef } from '../../protocol/names.js';
import type { LedgerSizes, Snapshot } from '../../protocol/snapshot.js';
import type { DeploymentStart } from '../../protocol/state-deployment.js';
import type { RecordDriver } from '../../recording/driver.js';
import type { TickQuestion } from '../triggers/calendar.js';
import type { EndlessCode } from './endless-code.js';
import type { EntityHandlers } from './handlers.js';
import type { LookDistance } from '../rules/look-distance.js';
import type { PlacedCall } from './placed-call.js';

/** The answer that a resource has given. */
export interface CallAnswer {
  readonly output?: unknown;
  /** How often a worker was lost in the middle of the call, so that another worker made the call again. */
  readonly restarts: number;
}

export interface MessageLimits {
  /** How many may be under way at a time. */
  readonly atOnce: number;
  /** How much may be left unsent when the run ends, in bytes. */
  readonly unsentBytes: number;
}

/**
 * The narrow seam where determinism ends: all that an entity needs of the world. There is one driver for Temporal, and one in
 * memory for simulations. Everything asynchronous is durable: it goes on after a crash, and gives the same answers when it is
 * replayed.
 */
export interface EntityDriver {
  /** The workflow's id (`LogicalServer/orders`), and the run chain that makes this life another one than the last. */
  readonly identity: { readonly id: string; readonly life: string };
  /** The way to the store. */
  readonly records: RecordDriver;
  /** How many requests the entity remembers itself, where that is not the usual number. */
  readonly ledgerSizes?: LedgerSizes | undefined;
  /** How often successors that say nothing are looked after; without it, `LOOK_DISTANCE`. */
  readonly lookDistance?: LookDistance | undefined;
  /** How many events that have waited begin before the task ends, where that is not the usual number. entity-steps.1 */
  readonly eventsInARow?: number;
  /** Gives the limits of messages in this run, where they are not the usual ones: the same when it is replayed. */
  messageLimits?(): MessageLimits;
  /**
   * Tells whether this run has begun on a build of this schema, where it begins with an older one: the same when it is replayed, on any
   * build. Q2
   */
  beganAt(schema: number): boolean;
  /** From now on, hands what comes from outside to these handlers. */
  serve(handlers: EntityHandlers): void;
  /** Tells whether every event that was let in has its answer. */
  handlersFinished(): boolean;
  /** Milliseconds since 1970; the same when replayed, and never before a timer that has ended. */
  now(): number;
  /** Makes the time at least this: a run does not begin before the run before it has ended. */
  reach(time: number): void;
  /** A fresh unique id; the same when replayed. */
  uuid(): string;
  /**
   * Waits until the predicate holds (true), or the time is over (false). Decide by this answer what comes next, never by the
   * clock. `summary` tells people what the wait is for.
   */
  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  /** Waits until all that can go on by itself has done so. */
  quiet(): Promise<void>;
  /** Another number each time something comes in from outside: all that could go on by itself has done so by then. */
  moment(): number;
  /**
   * The way in which the next call of this name is made: the declared one, or the one in which the run has begun it before the
   * declaration changed. A7
   */
  modeOf(placed: PlacedCall): CallMode;
  /**
   * Calls a resource. One that is answered by callback is only asked this question: its answer comes as an event.
   * @throws CallFailed, with `worker_gone` where the one worker that may make it does not live any more
   */
  call(placed: PlacedCall, question?: CallbackQuestion): Promise<CallAnswer>;
  /** Cancels the calls with these idempotency keys, or all that are under way: they throw at once. */
  cancelCalls(idempotencyKeys?: readonly string[]): void;
  /** Tells whether a call that was cancelled may still take effect: nobody knows that its execution has ended. */
  lingers(idempotencyKey: string): boolean;
  /**
   * Tells the provider of a call that nobody waits for the answer to this question any more. Tried again for an hour. A3
   * @throws CallFailed when the provider could not be told
   */
  withdraw(withdrawal: QuestionWithdrawal): Promise<void>;
  /** Starts an entity, unless one with this key exists. With `again`, also when one has existed and was deleted. */
  createEntity(to: EntityRef, creation: Creation, again: boolean): Promise<'created' | 'exists'>;
  /** The last life of a key, as it ended; nothing when there was none, or when it left nothing. */
  lastLife(of: EntityRef): Promise<Snapshot | undefined>;
  /**
   * The first tick of each calendar after a time, in milliseconds since 1970. It is computed outside and recorded: a replay gets what
   * was decided. S4.5
   */
  nextTicks(questions: readonly TickQuestion[]): Promise<readonly number[]>;
  sendMessage(to: EntityRef, message: EntityMessage): Promise<'delivered' | 'absent'>;
  /** Starts an operation's workflow. One that exists already is the same operation. */
  openOperation(start: OperationStart): Promise<void>;
  /** Sends a message to an operation. `absent` says that it has ended, and need not hear it. */
  tellOperation(operation: string, message: OperationMessage): Promise<'delivered' | 'absent'>;
  /** All that trees of components may consist of. */
  readonly trees: TreeProgram;
  /** Starts a deployment. One that exists already is the same. */
  deploy(start: DeploymentStart): Promise<void>;
  tellDeployment(id: string, message: DeploymentMessage): Promise<'delivered' | 'absent'>;
  /** Shows outside how the entity is, now that it rests or waits. */
  show(snapshot: Snapshot): void;
  /** How long the entity rests before it goes on in a new run, in milliseconds. Without it, rest alone begins no new run. */
  readonly restAfterMs?: number | undefined;
  /**
   * Tells whether the history of this run has become so long that the entity has to go on in a new run. Once true, this stays true.
   */
  runIsLong(): boolean;
  /** Tells whether nothing outside the entity keeps its run from ending. */
  mayEndRun(): boolean;
  /** Tells whether the run may end while the action waits for other entities: the same when it is replayed, on any build. Q2 */
  mayEndAmidWaits(): boolean;
  /** Ends actions whose code does not end, where somebody watches the code. */
  readonly endless?: EndlessCode;
  /** A note for the log of the worker. */
  warn(message: string, attributes: Readonly<Record<string, unknown>>): void;
}

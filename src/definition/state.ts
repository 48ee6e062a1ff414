import type { z } from 'zod';
import type { Busy } from './busy.js';
import type { Duration } from './duration.js';
import type { OneShotTimer, TimeProperty } from './timer.js';

/** Describes whether being in a state is as it should be (`normal`) or not (`error`). S1.4 */
export type Health = 'normal' | 'error';

/** Describes how the automatic action of an unstable state is tried again. S3.5 */
export interface Retry<Target extends string = string> {
  /** Executions in all, the first included. Without it, the action is retried forever. */
  readonly attempts?: number;
  /** The time before the second execution. Default 1 s. */
  readonly delay?: Duration;
  /** The factor by which each delay exceeds the one before it. Default 2. */
  readonly growth?: number;
  /** No delay grows beyond it. Default 1 m, or `delay` where that is longer. */
  readonly maxDelay?: Duration;
  /** The state to go to when the attempts are used up. Without it, the entity rests and an operator has to act. */
  readonly exhausted?: Target;
  /**
   * Other rules for attempts that end with an error of a code: `{ quota_exceeded: { attempts: 3, delay: '1m' } }`. Each part replaces that
   * of all errors. `attempts` counts the executions that ended with this code, and others do not count them.
   */
  readonly errors?: Readonly<Record<string, RetryOfError<Target>>>;
}

/** Describes how the automatic action is tried again after errors of one code. S3.5 */
export type RetryOfError<Target extends string = string> = Omit<Retry<Target>, 'errors'>;

/** A declared state. Made by {@link initial}, {@link stable}, {@link unstable}, {@link terminal} and {@link deleted}. */
export interface State<Target extends string = string, EventName extends string = string> {
  readonly initial: boolean;
  readonly stability: 'stable' | 'unstable';
  /**
   * Set when no way leads out. `deleted`: entering it closes the entity and frees its key. `terminal`: the entity stays
   * readable and keeps its key. S1.3
   */
  readonly ending?: 'deleted' | 'terminal';
  /** Sets whether the entity rests here for its successors or for an answer from outside, so that the operation continues. S1.4, S1.5 */
  readonly waiting: boolean;
  readonly health: Health;
  /**
   * The time between the entry into the state and the first execution of its automatic action. A property holds milliseconds or a text such
   * as `30m`; without a value, there is no wait.
   */
  readonly wait?: Duration | TimeProperty;
  readonly retry?: Retry<Target>;
  /** Sets what becomes of events that come while an action runs in this state. An event's own setting goes first. S2.3 */
  readonly busy?: Busy;
  /** Runs from each entry into the state. Another attempt is not an entry. S4.5 */
  readonly deadline?: OneShotTimer<EventName>;
  /**
   * The components that run while the entity is in this state, by the name of the code that describes them. Entering the state
   * deploys them, entering it again keeps them, and leaving it ends them. W1
   */
  readonly deploys?: string;
  /** The event that is raised when they end by themselves. Its parameters are the record of their end: `endRecord`. */
  readonly ended?: EventName;
  /** Sets how long actions wait for their end when the state is left. Default 1 m. */
  readonly endWithin?: Duration;
  /** Sets what holds in this state: a schema of `{ properties, links, subordinates }`. S1.6 */
  readonly constraint?: z.ZodType;
  /** Sets what people read instead of its name: `Requires capture`. Programs still use the name. */
  readonly displayName?: string;
  /** A sentence for people, shown in diagrams and in Temporal's UI. */
  readonly description?: string;
}

interface DeletedOptions {
  readonly displayName?: string;
  readonly description?: string;
}

/** Holds the options of a terminal state. */
export interface TerminalOptions extends DeletedOptions {
  /** `normal` (default), or `error` where a person should look. */
  readonly health?: Health;
  readonly constraint?: z.ZodType;
}

/** Holds the options of a stable state. */
export interface StableOptions<EventName extends string> extends TerminalOptions {
  readonly waiting?: boolean;
  readonly busy?: Busy;
  readonly deadline?: OneShotTimer<EventName>;
  readonly deploys?: string;
  readonly ended?: EventName;
  readonly endWithin?: Duration;
}

/** Holds the options of an unstable state. */
export interface UnstableOptions<Target extends string, EventName extends string> extends TerminalOptions {
  readonly wait?: Duration | TimeProperty;
  /** Sets how its automatic action is tried again. Default: for ever, after 1 s and then ever longer, up to 1 m. */
  readonly retry?: Retry<Target>;
  readonly busy?: Busy;
  readonly deadline?: OneShotTimer<EventName>;
}

// NoInfer makes the compiler take the names from the options, and not from what the declaration around them would allow.

/** A state that only an event's action leaves. S1.4 */
export function stable<const EventName extends string = never>(
  options: StableOptions<EventName> = {},
): State<never, NoInfer<EventName>> {
  return { initial: false, stability: 'stable', waiting: false, health: 'normal', ...options };
}

/** A state whose one automatic action runs on entry, and again until it moves on. S1.4 */
export function unstable<const Target extends string = never, const EventName extends string = never>(
  options: UnstableOptions<Target, EventName> = {},
): State<NoInfer<Target>, NoInfer<EventName>> {
  return { initial: false, stability: 'unstable', waiting: false, health: 'normal', ...options };
}

/** The state in which an entity begins: a stable one, unless another is given. S1.3 */
export function initial(): State<never, never>;
export function initial<Target extends string, EventName extends string>(
  state: State<Target, EventName>,
): State<NoInfer<Target>, NoInfer<EventName>>;
export function initial(state: State = stable()): State {
  return { ...state, initial: true };
}

/** Declares a terminal state: nothing leads out of it, and the entity stays readable and keeps its key. S1.3 */
export function terminal(options: TerminalOptions = {}): State<never, never> {
  return { initial: false, stability: 'stable', ending: 'terminal', waiting: false, health: 'normal', ...options };
}

/** The state that closes the entity and frees its key; nothing leads out of it. S1.3 */
export function deleted(options: DeletedOptions = {}): State<never, never> {
  return { initial: false, stability: 'stable', ending: 'deleted', waiting: false, health: 'normal', ...options };
}

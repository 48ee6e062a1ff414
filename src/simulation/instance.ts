/*
 * One instance of a workflow's code in memory, as a worker would hold it.
 *
 * instance.1. What it does depends on its inputs alone: a new instance that is given the same inputs does the same.
 * instance.2. It acts on the world by commands only, which are collected here and carried out once they are recorded.
 */
import { CallFailed } from '../definition/action-errors.js';
import type { Answer } from '../protocol/answer.js';
import type { RaiseRequest } from '../protocol/request.js';
import { Clock, LatestTask, LONGEST_CHAIN, type HistoryPlace, TaskGate } from '../kernel/index.js';
import { drainPromises } from './drain.js';
import {
  asksForSomething,
  isInline,
  type Command,
  type CommandAnswer,
  type CommandKind,
  type Input,
} from './history.js';
import type { Sight } from './sight.js';

/** How a run ends. */
export type RunEnd =
  | { readonly kind: 'closed'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** It goes on in a new run with this argument, by the build of today or by the one on which it is. */
  | { readonly kind: 'rollover'; readonly argument: unknown; readonly build?: 'newest' | 'same' };

/** The code of a workflow: an entity's or an operation's. */
export type Program = (instance: Instance, argument: unknown) => Promise<RunEnd>;

/** The ways in from outside. */
export interface Doors {
  /** Tells what it is now: plain JSON. */
  reading(): unknown;
  message(content: unknown): void;
  signal?(name: string, ...args: readonly unknown[]): void;
  /** The answers to a batch of which nothing needs to be recorded. */
  refuse?(requests: readonly RaiseRequest[]): readonly Answer[] | 'closing' | undefined;
  raise?(requests: readonly RaiseRequest[]): Promise<readonly Answer[]>;
}

/** The answers to a batch of events. */
export interface BatchAnswer {
  readonly ticket: number;
  readonly answers: readonly Answer[];
  /** Tells whether all were rejected before anything was recorded; `closing`: the next run takes them. */
  readonly refused: boolean | 'closing';
}

/** The outcome of one moment. */
export interface Outcome {
  /** The inputs without the batches that were refused. */
  readonly inputs: readonly Input[];
  readonly commands: readonly Command[];
  readonly answers: readonly BatchAnswer[];
  readonly sights: readonly Sight[];
}

/** How many events that wait, timers and ends of runs may begin something in one task, beside what comes with it. */
const BESIDE_INPUTS = 4;

/** All that the service says with a task. */
interface TaskInfo {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly rollOver: boolean;
}

interface Condition {
  readonly predicate: () => boolean;
  readonly resolve: (met: boolean) => void;
  readonly timer: number | undefined;
}

export class Instance {
  readonly id: string;
  readonly life: string;
  readonly #run: string;
  readonly #program: Program;
  readonly #awaiting = new Map<number, (answer: CommandAnswer) => void>();
  /** The calls under way, each with the function that makes it throw. */
  readonly #calls = new Map<number, { readonly key: string; readonly reject: (reason: Error) => void }>();
  /** The calls that were cancelled and have not ended: their keys, by number. */
  readonly #lingering = new Map<number, string>();
  readonly #conditions = new Set<Condition>();
  #doors: Doors | undefined;
  /** The inputs that came before the code has opened its doors. */
  readonly #early: Exclude<Input, { kind: 'answer' }>[] = [];
  #commands: Command[] = [];
  #answers: BatchAnswer[] = [];
  #sights: Sight[] = [];
  #numbered = 0;
  #ids = 0;
  #handling = 0;
  /** How much has come with the present task, and how many actions have started in it. */
  #came = 0;
  #started = 0;
  readonly task = new LatestTask<TaskInfo>({ now: 0, rollOver: false });
  readonly clock = new Clock(() => this.task.seen.now);
  readonly gate = new TaskGate();
  /** The place in its history that it has reached. */
  place: HistoryPlace = { time: '', events: 0, bytes: 0 };
  /** How long the entity rests before it goes on in a new run, in milliseconds. */
  readonly restAfterMs: number | undefined;
  /** How the run has ended, once it has. */
  end: RunEnd | undefined;
  /** An error that the code must not throw. */
  thrown: { readonly error: unknown } | undefined;

  constructor(
    names: { readonly id: string; readonly life: string; readonly run: string },
    program: Program,
    restAfterMs?: number,
  ) {
    this.id = names.id;
    this.restAfterMs = restAfterMs;
    this.life = names.life;
    this.#run = names.run;
    this.#program = program;
  }

  /** Tells whether the run is long enough for a rollover. */
  get rollOver(): boolean {
    return this.task.known.rollOver;
  }

  /** Takes inputs at a place in history, or answers to inline calls, and lets the code run until it waits for something. */
  async take(
    inputs: readonly Input[],
    place: HistoryPlace,
    { inline = false, replayed = false }: { readonly inline?: boolean; readonly replayed?: boolean } = {},
  ): Promise<Outcome> {
    this.place = place;
    this.#came = inputs.length;
    this.#started = 0;
    const answers = inline ? inputs.length : 0;
    if (inline || inputs.some(leavesEvent)) this.task.accept();
    this.gate.enter(place, { took: !inline && inputs.some(leavesEvent), answers, replayed });
    const taken: Input[] = [];
    this.clock.enter();
    for (const input of inputs) if (input.kind !== 'answer' && this.#enter(input)) taken.push(input);
    await this.#untilItWaits();
    // As on Temporal, inputs from outside are handled before the answers that come in the same task.
    const answered = inputs.filter((input) => input.kind === 'answer');
    this.clock.enter();
    for (const { command, answer } of answered) this.#awaiting.get(command)?.(answer);
    if (answered.length > 0) await this.#untilItWaits();
    if (this.#doors) this.see({ kind: 'rest', reading: this.#doors.reading() });
    const asked = taken.some(({ kind }) => kind === 'raise') || asksForSomething(this.#commands);
    if (this.gate.leave(asked, this.#commands.filter(isInline).length)) this.#issue('mark', {});
    const outcome = {
      inputs: [...taken, ...answered],
      commands: this.#commands,
      answers: this.#answers,
      sights: this.#sights,
    };
    this.#commands = [];
    this.#answers = [];
    this.#sights = [];
    return outcome;
  }

  reading(): unknown {
    return this.#doors?.reading();
  }

  // All that follows is for the drivers.

  serve(doors: Doors): void {
    this.#doors = doors;
    // As on Temporal, the inputs that came before are handed over now.
    for (const input of this.#early.splice(0)) this.#enter(input);
  }

  handlersFinished(): boolean {
    return this.#handling === 0;
  }

  uuid(): string {
    this.#ids++;
    return `${this.#run}-${this.#ids}`;
  }

  see(sight: Sight): void {
    this.#sights.push(sight);
    if (sight.kind !== 'started' || ++this.#started <= (this.#came + BESIDE_INPUTS) * LONGEST_CHAIN) return;
    const last = this.#sights.slice(-8).flatMap((each) => (each.kind === 'started' ? [each.action] : []));
    const problem = `${this.id} loops, and no chain limit applies: ${last.join(', ')}, ...`;
    this.thrown ??= { error: new Error(problem) };
  }

  /** Asks something of the world. @throws CallFailed when the answer is a failure */
  command(kind: CommandKind, argument: unknown): Promise<unknown> {
    const number = this.#issue(kind, argument);
    return new Promise((resolve, reject) => {
      if (kind === 'call') {
        const { idempotencyKey: key } = argument as { readonly idempotencyKey: string };
        this.#calls.set(number, { key, reject });
      }
      this.#awaiting.set(number, (answer) => {
        this.#awaiting.delete(number);
        this.#calls.delete(number);
        if ('failure' in answer) {
          const { call, code, message, restarts, retryAfterMs } = answer.failure;
          reject(new CallFailed(call, code, message, restarts, retryAfterMs));
        } else {
          resolve(answer.value === undefined ? undefined : JSON.parse(answer.value));
        }
      });
    });
  }

  /** Tells the world something to which there is no answer. */
  tell(kind: CommandKind, argument: unknown): void {
    this.#issue(kind, argument);
  }

  /** Cancels the calls with these keys, or all that are under way: they throw at once. */
  cancelCalls(idempotencyKeys?: readonly string[]): void {
    for (const [number, { key, reject }] of this.#calls) {
      if (idempotencyKeys && !idempotencyKeys.includes(key)) continue;
      this.#lingering.set(number, key);
      this.#awaiting.set(number, () => {
        this.#awaiting.delete(number);
        this.#lingering.delete(number);
      });
      this.#calls.delete(number);
      this.#issue('cancel call', { command: number });
      reject(new Error('The call was canceled.'));
    }
  }

  /** Tells whether a call with this key was cancelled and has not ended. */
  lingers(idempotencyKey: string): boolean {
    return [...this.#lingering.values()].includes(idempotencyKey);
  }

  /**
   * Waits until the predicate holds (true), or the time is over (false). Then the time is that of the timer, whatever the
   * service's clock says.
   */
  async until(predicate: () => boolean, timeoutMs = Infinity): Promise<boolean> {
    const due = this.clock.now() + timeoutMs;
    const wait = (holds: () => boolean, ms?: number) => this.#wait(holds, ms);
    const met = await this.clock.until(wait, predicate, timeoutMs === Infinity ? undefined : timeoutMs);
    if (!met && this.clock.now() < due) {
      this.thrown ??= { error: new Error(`${this.id} is told the time before that of a timer which has ended`) };
    }
    return met;
  }

  quiet(): Promise<void> {
    return this.clock.quiet((predicate) => this.#wait(predicate));
  }

  #wait(predicate: () => boolean, timeoutMs?: number): Promise<boolean> {
    if (predicate()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : this.#issue('timer', { ms: timeoutMs });
      const condition: Condition = { predicate, resolve, timer };
      this.#conditions.add(condition);
      if (timer === undefined) return;
      this.#awaiting.set(timer, () => {
        this.#awaiting.delete(timer);
        if (this.#conditions.delete(condition)) resolve(false);
      });
    });
  }

  #issue(kind: CommandKind, argument: unknown): number {
    const number = ++this.#numbered;
    this.#commands.push({ number, kind, argument: JSON.stringify(argument) });
    return number;
  }

  /** Tells whether the input is to be recorded. */
  #enter(input: Exclude<Input, { kind: 'answer' }>): boolean {
    if (!this.#doors && input.kind !== 'start') {
      this.#early.push(input);
      return true;
    }
    switch (input.kind) {
      case 'start':
        this.#start(JSON.parse(input.argument));
        return true;
      case 'message':
        this.#guard(() => this.#doors?.message(JSON.parse(input.content)));
        return true;
      case 'signal':
        this.#guard(() => this.#doors?.signal?.(input.name, ...(JSON.parse(input.args) as readonly unknown[])));
        return true;
      case 'raise':
        return this.#raise(input.ticket, JSON.parse(input.requests) as readonly RaiseRequest[]);
    }
  }

  #start(argument: unknown): void {
    void this.#program(this, argument).then(
      (end) => (this.end = end),
      (error: unknown) => (this.thrown ??= { error }),
    );
  }

  #raise(ticket: number, requests: readonly RaiseRequest[]): boolean {
    this.#came += requests.length;
    const refused = this.task.judge(() => this.#doors?.refuse?.(requests));
    if (refused) {
      this.#answers.push(
        refused === 'closing' ? { ticket, answers: [], refused } : { ticket, answers: refused, refused: true },
      );
      return false;
    }
    this.task.accept();
    this.#handling++;
    void this.#doors?.raise?.(requests).then(
      (answers) => {
        this.#handling--;
        this.#answers.push({ ticket, answers, refused: false });
      },
      (error: unknown) => (this.thrown ??= { error }),
    );
    return true;
  }

  #guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.thrown ??= { error };
    }
  }

  async #untilItWaits(): Promise<void> {
    await drainPromises();
    while (this.#meetConditions()) await drainPromises();
  }

  #meetConditions(): boolean {
    let met = false;
    for (const condition of this.#conditions) {
      if (!condition.predicate()) continue;
      met = true;
      this.#conditions.delete(condition);
      if (condition.timer !== undefined) {
        this.#awaiting.delete(condition.timer);
        this.#issue('cancel timer', { command: condition.timer });
      }
      condition.resolve(true);
    }
    return met;
  }
}

/** Tells whether an input leaves an event of its own later: an update leaves one with its answer, unless it is refused. */
function leavesEvent({ kind }: Input): boolean {
  return kind !== 'raise';
}

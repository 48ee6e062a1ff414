/*
 * One workflow as the service knows it: what has come to it, and the history of its run.
 *
 * workflow.1. A task is recorded as a whole or not at all; one that is lost is done again with the same inputs.
 * workflow.2. A new instance gets to where the last one was from the history alone. A difference is reported.
 * workflow.3. History is cut as the SDK cuts it. A replay joins a task that asked for nothing with one that follows it
 *     directly. A read can bring what has happened before the task for it comes, or a task that another worker has begun and
 *     does not finish. A read that comes with a task, and is answered while an inline call is under way, ends the task before
 *     the code gets the answer to the call.
 */
import type { HistoryPlace } from '../kernel/index.js';
import { inTasksOfReplay, isInline, type Command, type CommandAnswer, type Input, type Task } from './history.js';
import { Instance, type BatchAnswer, type Outcome, type Program } from './instance.js';
import type { Sight } from './sight.js';

/** A task that has been done and is not yet recorded. */
export interface DoneTask {
  /** Tells whether it brings anything but refused events. */
  readonly inHistory: boolean;
  readonly task: Task;
  readonly inputs: readonly Input[];
  /** The commands to carry out when it is recorded. */
  readonly commands: readonly Command[];
  readonly answers: readonly BatchAnswer[];
  readonly sights: readonly Sight[];
}

/** A task that another worker has begun and does not finish, as the worker sees it that is read. */
export interface BegunElsewhere {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Tells whether the worker has the run from a read before, when all was in history. */
  readonly readBefore: boolean;
}

/** A new instance did something else than the one before it. */
export class NotDeterministic extends Error {
  override readonly name = 'NotDeterministic';
}

/** More inline calls in a row than a task makes, unless it goes round in a circle. */
const MANY_MOMENTS = 5_000;
/** A run with more events of history goes on in a new one, as on Temporal. */
const MANY_EVENTS = 2_000;

export class Workflow {
  readonly id: string;
  readonly type: string;
  readonly life: string;
  #program: Program;
  status: 'running' | 'closed' | 'refused' | 'terminated' = 'running';
  /** Its result, once it is closed. */
  result: unknown;
  inbox: Input[] = [];
  /** The answers to batches that this run has yet to give. */
  readonly open = new Set<number>();
  /** Holds what it showed after its last recorded task. */
  reading: unknown;
  /** Tells whether the run has become long. It stays so. */
  long = false;
  #run: string;
  #history: Task[] = [];
  /** About how many events the history of the run has. */
  #events = 0;
  #instance: Instance | undefined;
  /** The inputs that a read has brought before their task, and their outcome. */
  #ahead: { readonly inputs: readonly Input[]; readonly outcome: Outcome } | undefined;
  readonly #restAfterMs: number | undefined;

  constructor(
    names: { readonly id: string; readonly type: string; readonly run: string },
    program: Program,
    restAfterMs?: number,
  ) {
    this.#restAfterMs = restAfterMs;
    this.id = names.id;
    this.type = names.type;
    this.life = names.run;
    this.#run = names.run;
    this.#program = program;
  }

  /** The code that its run has begun with. */
  get program(): Program {
    return this.#program;
  }

  get run(): string {
    return this.#run;
  }

  /** Tells whether its history has become so long that it goes on in a new run. */
  get isOld(): boolean {
    return this.#events > MANY_EVENTS;
  }

  /** Gives what it shows within the present task. */
  get current(): unknown {
    return this.#instance?.reading() ?? this.reading;
  }

  /** The time that the last task of this run was told, in milliseconds since 1970. */
  get toldAt(): number {
    return this.#history.at(-1)?.now ?? 0;
  }

  /** Tasks of this run. */
  get length(): number {
    return this.#history.length;
  }

  /**
   * Reads the workflow. As with the SDK, the read brings what has come since the last task: at the time of that task, or as a
   * task that another worker has begun and does not finish.
   */
  async read(begun?: BegunElsewhere): Promise<void> {
    const inputs = this.inbox.filter(({ kind }) => kind !== 'raise' && kind !== 'start');
    const last = this.#history.at(-1);
    if (!last || inputs.length === 0 || this.#ahead) return;
    // A worker that has the run gets only what has a task of its own.
    if (begun) this.#instance = undefined;
    const instance = (this.#instance ??= await this.#replayed());
    if (begun?.readBefore) instance.gate.mayBeUnfinished(instance.place.events);
    const events = instance.place.events + inputs.length;
    const place = begun ? placeOf(events, begun.at) : { ...instance.place, events };
    if (instance.gate.isAhead(place)) {
      this.#instance = undefined;
      return;
    }
    if (begun) instance.task.enter({ now: begun.at, rollOver: instance.rollOver }, false);
    const outcome = await instance.take(inputs, place);
    if (outcome.commands.some(isInline) || instance.gate.mayBeUnfinished(events)) {
      this.#instance = undefined;
      return;
    }
    this.inbox = this.inbox.filter((input) => !inputs.includes(input));
    this.#ahead = { inputs, outcome };
  }

  /**
   * Does a task with everything that has come in, until the code waits. Nothing is recorded yet.
   * @param readAlong whether a read comes with the task
   */
  async perform(
    now: number,
    readAlong: boolean,
    callInline: (command: Command) => Promise<CommandAnswer>,
  ): Promise<DoneTask> {
    const inputs = this.inbox;
    this.inbox = [];
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const instance = (this.#instance ??= await this.#replayed());
    instance.task.enter({ now, rollOver: this.long }, ahead !== undefined);
    const place = placeOf(this.#events + inputs.length, now);
    const outcomes: Outcome[] = [];
    for (let next: readonly Input[] = inputs; ;) {
      let outcome = await instance.take(next, place, { inline: outcomes.length > 0 });
      if (ahead && outcomes.length === 0) outcome = bothOf(ahead.outcome, outcome);
      outcomes.push(outcome);
      if (instance.thrown) throw instance.thrown.error;
      const inline = outcome.commands.filter(isInline);
      if (inline.length === 0) break;
      if (readAlong && instance.gate.mayBeRead) throw new NotDeterministic(answeredTooSoon(this.id, inline));
      if (outcomes.length > MANY_MOMENTS) {
        throw new Error(`${this.id} loops without a pause: one task makes more and more inline calls.`);
      }
      const answers: Input[] = [];
      for (const command of inline) {
        answers.push({ kind: 'answer', command: command.number, answer: await callInline(command) });
      }
      next = answers;
    }
    const isInHistory =
      ahead !== undefined || inputs.length === 0 || outcomes.some((outcome) => outcome.inputs.length > 0);
    const decided = outcomes.flatMap(({ commands }) => commands);
    if (!isInHistory && (decided.length > 0 || instance.end))
      throw new NotDeterministic(decidedUnseen(this.id, decided));
    return {
      inHistory: isInHistory,
      task: {
        now,
        rollOver: this.long,
        moments: outcomes.map(({ inputs: taken, commands }) => ({ inputs: taken, commands })),
      },
      inputs: [...(ahead?.inputs ?? []), ...inputs],
      commands: outcomes.flatMap(({ commands }) => commands.filter((command) => !isInline(command))),
      answers: outcomes.flatMap(({ answers }) => answers),
      sights: outcomes.flatMap(({ sights }) => sights),
    };
  }

  /** Records the task. Gives how the run has ended, if it has. */
  record({ task }: DoneTask): Instance['end'] {
    this.#history.push(task);
    this.#events += eventsOf(task);
    this.reading = this.#instance?.reading();
    return this.#instance?.end;
  }

  /** Drops a task, since the worker has died before it was recorded. */
  lose({ inputs }: DoneTask): void {
    this.#instance = undefined;
    this.inbox = [...inputs, ...this.inbox];
  }

  /** Lets another worker take over after the worker has died between tasks. @throws NotDeterministic */
  async restart(): Promise<void> {
    this.#instance = undefined;
    this.#giveBack();
    if (this.#history.length === 0) return;
    const before = JSON.stringify(this.reading);
    const instance = await this.#replayed();
    const after = JSON.stringify(instance.reading());
    if (before !== after) {
      throw new NotDeterministic(`after a crash and a replay, ${this.id} is\n  ${after}\nand it was\n  ${before}`);
    }
    this.#instance = instance;
  }

  /** Gives back what a read has brought: nothing of it is recorded, so it has yet to come. */
  #giveBack(): void {
    this.inbox = [...(this.#ahead?.inputs ?? []), ...this.inbox];
    this.#ahead = undefined;
  }

  /** Lets the entity go on in a new run, with the code of today or with that of the run before it. */
  rollOver(run: string, argument: unknown, program = this.#program): void {
    this.#run = run;
    this.#program = program;
    this.#history = [];
    this.#events = 0;
    this.long = false;
    this.#instance = undefined;
    this.#giveBack();
    this.inbox = [{ kind: 'start', argument: JSON.stringify(argument) }, ...this.inbox];
  }

  close(status: 'closed' | 'refused' | 'terminated', result?: unknown): void {
    this.status = status;
    this.result = result;
    // The entity was not created, so it reads as the life before it.
    this.reading ??= result;
    this.#instance = undefined;
    this.#history = [];
    this.inbox = [];
  }

  async #replayed(): Promise<Instance> {
    const names = { id: this.id, life: this.life, run: this.#run };
    const instance = new Instance(names, this.#program, this.#restAfterMs);
    let [events, tasks] = [0, 0];
    for (const task of inTasksOfReplay(this.#history)) {
      instance.task.enter(task, false);
      for (const [index, moment] of task.moments.entries()) {
        const place = placeOf(events + moment.inputs.length, task.now);
        const { commands } = await instance.take(moment.inputs, place, { inline: index > 0, replayed: true });
        this.#compare(tasks + 1, moment.commands, commands);
      }
      tasks++;
      events += eventsOf(task);
    }
    return instance;
  }

  #compare(task: number, expected: readonly Command[], actual: readonly Command[]): void {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      const [was, is] = [expected[index], actual[index]];
      if (was?.kind === is?.kind && was?.argument === is?.argument) continue;
      const place = `${this.id}, task ${task} of its run, command ${index + 1}`;
      throw new NotDeterministic(
        `the replay differs from the history at ${place}: it was\n  ${inWords(was)}\nand is\n  ${inWords(is)}\n` +
          'An action may depend on its input, its context and the answers of its calls alone: no clock, chance or shared variable.',
      );
    }
  }
}

function answeredTooSoon(id: string, calls: readonly Command[]): string {
  return (
    `a read of ${id} was answered while its inline call was under way (${calls.map(inWords).join('; ')}). The service records the answer ` +
    'to the call with that task and tells it with the next one, a replay with that task: an update that is answered by it fails.'
  );
}

function decidedUnseen(id: string, commands: readonly Command[]): string {
  const what = commands.length > 0 ? commands.map(inWords).join('; ') : 'its run ends';
  return (
    `${id} decides something in a task that brings nothing but refused events (${what}). These are not in history, so no replay ` +
    'has that task: a decision must not depend on the time that has gone on, or on anything else that changes by itself.'
  );
}

function placeOf(events: number, now: number): HistoryPlace {
  return { time: String(now), events, bytes: events };
}

function eventsOf({ moments }: Task): number {
  return moments.reduce((events, { inputs, commands }) => events + inputs.length + commands.length + 1, 0);
}

function bothOf(first: Outcome, second: Outcome): Outcome {
  return {
    inputs: [...first.inputs, ...second.inputs],
    commands: [...first.commands, ...second.commands],
    answers: [...first.answers, ...second.answers],
    sights: [...first.sights, ...second.sights],
  };
}

function inWords(command: Command | undefined): string {
  return command ? `${command.kind} ${command.argument}` : 'nothing';
}

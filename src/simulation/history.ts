/*
 * The history of a workflow's run. It brings a new instance to where a crashed one was. Everything that crosses the border of a
 * workflow is kept as JSON text, so that no two workflows share an object, and since texts are quick to compare.
 */

/** Something that the code asks of the world; its answer comes later, if it has one. */
export interface Command {
  /** Counted from 1 in each run; answers name it. */
  readonly number: number;
  readonly kind: CommandKind;
  /** JSON. */
  readonly argument: string;
}

export type CommandKind =
  | 'call'
  | 'withdraw'
  | 'create'
  | 'last life'
  | 'next ticks'
  | 'send'
  | 'open'
  | 'tell'
  | 'deploy'
  | 'tell deployment'
  | 'timer'
  | 'cancel timer'
  | 'mark'
  | 'cancel call'
  | 'offer'
  | 'confirm'
  | 'keep'
  | 'hand on'
  | 'recall';

/** The answer to a command: a value as JSON, or nothing, or the failure of a call. */
export type CommandAnswer =
  | { readonly value?: string }
  | {
      readonly failure: {
        readonly call: string;
        readonly code: string;
        readonly message: string;
        readonly restarts?: number;
        readonly retryAfterMs?: number;
      };
    };

/** Something that comes to a workflow. */
export type Input =
  | { readonly kind: 'start'; readonly argument: string }
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'signal'; readonly name: string; readonly args: string }
  | { readonly kind: 'raise'; readonly ticket: number; readonly requests: string }
  | { readonly kind: 'answer'; readonly command: number; readonly answer: CommandAnswer };

/** Inputs that are taken together, and the commands that followed. */
export interface Moment {
  readonly inputs: readonly Input[];
  readonly commands: readonly Command[];
}

/** One workflow task: recorded as a whole or not at all. An inline call is answered within it, by a further moment. */
export interface Task {
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
  /** Tells whether the run is long enough for a rollover. */
  readonly rollOver: boolean;
  readonly moments: readonly Moment[];
}

/**
 * Tells whether the requests of a task leave something in history, so that a replay does not join it with another task. Offers to the
 * store leave nothing, and neither does a timer that is cancelled in the task in which it begins.
 */
export function asksForSomething(commands: readonly Command[]): boolean {
  const ended = commands.filter(({ kind }) => kind === 'cancel timer').map(({ argument }) => cancelledBy(argument));
  const begun = commands.filter(({ kind }) => kind === 'timer').map(({ number }) => number);
  return commands.some(({ kind, number, argument }) => {
    if (kind === 'timer') return !ended.includes(number);
    if (kind === 'cancel timer') return !begun.includes(cancelledBy(argument));
    return kind !== 'offer';
  });
}

function cancelledBy(argument: string): number {
  return (JSON.parse(argument) as { readonly command: number }).command;
}

/**
 * The tasks of a replay. The SDK joins a task that asked for nothing with the next one, if that brings only updates. The joined
 * task has the time of the second.
 */
export function inTasksOfReplay(history: readonly Task[]): readonly Task[] {
  const tasks: Task[] = [];
  for (const task of history) {
    const before = tasks.at(-1);
    const inputs = task.moments[0]?.inputs ?? [];
    const merges = before && isEmpty(before) && inputs.every(({ kind }) => kind === 'raise');
    if (!merges) tasks.push(task);
    else tasks[tasks.length - 1] = { ...task, moments: [merged(before, task), ...task.moments.slice(1)] };
  }
  return tasks;
}

function isEmpty({ moments }: Task): boolean {
  return moments.every(
    ({ inputs, commands }) => !inputs.some(({ kind }) => kind === 'raise') && !asksForSomething(commands),
  );
}

function merged(one: Task, other: Task): Moment {
  const both = [...one.moments, ...other.moments.slice(0, 1)];
  return { inputs: both.flatMap(({ inputs }) => inputs), commands: both.flatMap(({ commands }) => commands) };
}

/** Tells whether a command is answered within its task. */
export function isInline({ kind, argument }: Command): boolean {
  return kind === 'call' && (JSON.parse(argument) as { readonly inline: boolean }).inline;
}

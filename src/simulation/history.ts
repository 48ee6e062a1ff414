/*
 * What is recorded of a workflow's run, so that a new instance can be brought to where a crashed one was. Everything
 * that crosses a workflow's border is kept as JSON text: no two workflows share an object, and texts are quick to compare.
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
  | 'create'
  | 'last life'
  | 'send'
  | 'open'
  | 'tell'
  | 'timer'
  | 'cancel timer'
  | 'cancel call'
  | 'offer'
  | 'confirm'
  | 'keep'
  | 'hand on'
  | 'recall';

/** The answer to a command: a value as JSON (none: nothing to tell), or the failure of a call. */
export type CommandAnswer =
  | { readonly value?: string }
  | { readonly failure: { readonly call: string; readonly code: string; readonly message: string } };

/** Something that comes to a workflow. */
export type Input =
  | { readonly kind: 'start'; readonly argument: string }
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'signal'; readonly name: string; readonly params?: string }
  | { readonly kind: 'raise'; readonly ticket: number; readonly requests: string }
  | { readonly kind: 'answer'; readonly command: number; readonly answer: CommandAnswer };

/** Inputs that are taken together, and the commands that followed. */
export interface Moment {
  readonly inputs: readonly Input[];
  readonly commands: readonly Command[];
}

/** One workflow task: recorded as a whole or not at all. An inline call is answered within it, by a further moment. */
export interface Task {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The run is long enough for a rollover. */
  readonly rollOver: boolean;
  readonly moments: readonly Moment[];
}

import type { Problem } from './problem.js';

/** What a request carries beside its path. */
export interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
}

export interface Answered {
  readonly headers: Headers;
  /** What the JSON says; nothing where there is no body. */
  readonly body: unknown;
}

/** One event of a change stream: the whole of what is followed. */
export interface Change {
  /** Nothing comes after it. */
  readonly final: boolean;
  readonly data: unknown;
}

/**
 * The management service, as the commands use it: elsewhere, over HTTP, with the rights of a key; or within the command
 * itself, as the operator, on Temporal and the store. S6.3
 */
export interface Api {
  /** Where the service is that `REEVE_API` names; nothing within the command itself. */
  readonly remote?: string;
  /** The dimensions of the project; nothing where only the service knows them. */
  readonly dimensions?: readonly string[];
  /** @throws Problem, Unreachable */
  ask(method: 'GET' | 'POST', path: string, asked?: Asked): Promise<Answered>;
  /**
   * Follows a change stream to its end, over interruptions. What is known to be there is also waited for while nobody answers.
   * @throws Problem, Unreachable
   */
  follow(path: string, known?: { readonly toBeThere: boolean }): AsyncGenerator<Change>;
  /** Where a person looks at a workflow; nothing where that is not known. */
  link(workflowId: string): string | undefined;
}

/** An API that has to be closed. */
export interface OpenApi {
  readonly api: Api;
  close(): Promise<void>;
}

/** Says more of a problem to whoever sits at the command line. */
export type Retell = (problem: Problem) => Problem;

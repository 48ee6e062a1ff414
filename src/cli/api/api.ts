import type { Problem } from './problem.js';

/** All that a request carries beside its path. */
export interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent as JSON. */
  readonly json?: unknown;
}

export interface Answered {
  readonly headers: Headers;
  /** The parsed JSON; nothing where there is no body. */
  readonly body: unknown;
}

/** One event of a change stream: the whole present state of what is followed. */
export interface Change {
  /** Tells whether nothing comes after it. */
  readonly final: boolean;
  readonly data: unknown;
}

/**
 * The management service, as the commands use it. It is either elsewhere, over HTTP, with the rights of a key; or within the
 * command itself, as the operator, on Temporal and the store. S6.3
 */
export interface Api {
  /** The address in `REEVE_API`; nothing where the service is within the command itself. */
  readonly remote?: string;
  /** The dimensions of the project; nothing where only the service knows them. */
  readonly dimensions?: readonly string[];
  /** @throws Problem, Unreachable */
  ask(method: 'GET' | 'POST', path: string, asked?: Asked): Promise<Answered>;
  /**
   * Follows a change stream to its end, over interruptions. Where the subject is known to exist, it also waits while nobody
   * answers.
   * @throws Problem, Unreachable
   */
  follow(path: string, known?: { readonly toBeThere: boolean }): AsyncGenerator<Change>;
}

/** An API that has to be closed. */
export interface OpenApi {
  readonly api: Api;
  close(): Promise<void>;
}

/** Adds to a problem what helps the person at the command line. */
export type Retell = (problem: Problem) => Problem;

/** The statuses with which a request can fail. */
export type ProblemStatus =
  400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503 | 504;

/** Describes a code for the person who has met it. Each text is markdown, in whole sentences. */
export interface ErrorEntry {
  /** The status over HTTP: 409 where it is left out. */
  readonly status?: ProblemStatus;
  /** One sentence: what has happened. */
  readonly meaning: string;
  /** How that comes about. */
  readonly cause: string;
  /** The remedy. It begins with the most likely step. */
  readonly remedy: string;
  /** A remedy on one line, which the command line prints where the message itself has none. */
  readonly hint?: string;
}

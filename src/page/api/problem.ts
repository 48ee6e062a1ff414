/** Something that the service says is wrong with one field. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** An answer of the service that says what went wrong (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  /** The address of the page that describes the code; nothing for a code that an entity has declared. */
  readonly page: string | undefined;
  /** The fields that are wrong. */
  readonly issues: readonly Issue[];
  /** The operation that is in the way, or that was opened already. */
  readonly operation: string | undefined;
  /** How an entity was that has been deleted. */
  readonly last: unknown;

  constructor(document: ProblemDocument) {
    super(document.detail);
    this.status = document.status;
    this.code = document.code;
    this.page = document.type.startsWith('/') ? document.type : undefined;
    this.issues = document.issues ?? [];
    this.operation = document.operation;
    this.last = document.last;
  }
}

/** The document of a problem, as far as the page reads it. */
export interface ProblemDocument {
  readonly type: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues?: readonly Issue[];
  readonly operation?: string;
  readonly last?: unknown;
}

/** No answer has come: nobody knows whether what was asked has happened. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

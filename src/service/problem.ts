import { z } from '@hono/zod-openapi';
import { isTemporalAway, isUnanswered } from '../client/no-answer.js';
import { errorEntry, errorPage, type ErrorCode, type ProblemStatus } from '../protocol/error-codes/index.js';
import { Rejected } from '../protocol/errors.js';
import { keyRefusedIn } from '../secrecy/key-refused.js';
import type { RunningOperation } from '../distributed/index.js';
import type { Rejection } from '../protocol/rejection.js';
import { ODataError } from './odata/index.js';

/** The schema of a problem, which says what went wrong as RFC 9457 describes it. */
export const problemSchema = z
  .looseObject({
    type: z.string().openapi({
      description:
        'The page that describes the code, relative to the service; a URN where an entity has declared the code.',
      example: '/guide/reference/errors/already_done',
    }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z
      .string()
      .optional()
      .openapi({ description: 'The path of the request; absent if it could not be read.' }),
    code: z.string().openapi({ description: 'A name for programs, which stays the same.' }),
    requestId: z.string().openapi({ description: 'The id of the HTTP request, as in the log.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .openapi({ description: 'The same in the format of OData, at the place for its clients.' }),
    entity: z.string().optional(),
    event: z.string().optional(),
    state: z.string().optional(),
    validNow: z.array(z.string()).optional().openapi({ description: 'The events that are valid now.' }),
    operation: z.string().optional().openapi({ description: 'The operation that runs on the entity.' }),
    action: z
      .string()
      .optional()
      .openapi({ description: 'The action that runs, where the event is declared not to wait for it.' }),
    running: z
      .object({ type: z.string(), object: z.string().optional(), instance: z.number().int() })
      .optional()
      .openapi({ description: 'The distributed operation that conflicts.' }),
    issues: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          position: z
            .number()
            .int()
            .optional()
            .openapi({ description: 'The character at which the mistake begins, counted from 1.' }),
        }),
      )
      .optional(),
  })
  .openapi('Problem');

/** The members of a problem that do not follow from the request. */
export type ProblemDetails = Omit<Partial<Rejection>, 'code' | 'message' | 'issues'> & {
  readonly issues?: readonly Issue[];
  /** The distributed operation that conflicts. I4 */
  readonly running?: RunningOperation;
  /** How an entity was that has been deleted. */
  readonly last?: unknown;
  /** The position where the feed begins. A6 */
  readonly begin?: string;
};

/** A mistake in a request, and where it is. */
interface Issue {
  readonly path: string;
  readonly message: string;
  /** The character at which the mistake begins, counted from 1. */
  readonly position?: number;
}

const RETRY = { 'Retry-After': '5' };

/** An error that becomes the answer to a request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ProblemDetails = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    // The state of the entity forbids what was declared without a status: a conflict.
    this.status = errorEntry(code)?.status ?? 409;
    // Whatever is away may come back, so every 503 says when to ask again.
    this.headers = this.status === 503 ? { ...RETRY, ...headers } : headers;
  }

  /** The answer 400, where something in the request is not right. */
  static invalid(code: ErrorCode, issues: readonly Issue[]): ProblemError {
    const said = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
    return new ProblemError(code, `The request is invalid: ${said}.`, { issues });
  }

  /** The answer 400, where a query option cannot be followed. */
  static ofQuery({ code, message, option, position }: ODataError): ProblemError {
    return new ProblemError(code, `${message}.`, { issues: [{ path: option, message, position }] });
  }

  /** The answer where an event was rejected. */
  static rejected({ code, message, ...details }: Rejection): ProblemError {
    // A call that concerns no event or no entity has empty names there.
    const named = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));
    return ProblemError.declared(code, message, named);
  }

  /** The answer for a code that may be one of an entity or an operation. */
  static declared(code: string, message: string, details?: ProblemDetails): ProblemError {
    return new ProblemError(code as ErrorCode, message, details);
  }

  /** The answer 503, where nobody has answered in time and Temporal has not refused. The cause is only in the log. */
  static unanswered(cause: unknown): ProblemError {
    const message =
      'There was no answer in time. No worker may be up, a task may be failing, or Temporal may be unavailable: see the explanation of ' +
      'the entity. The request may still be carried out. Repeat it with the same Idempotency-Key.';
    return ProblemError.#toRetry('no_answer', message, cause);
  }

  /** The answer 503, where Temporal does not answer or refuses. The cause is only in the log. */
  static temporalAway(cause: unknown): ProblemError {
    const message =
      'Temporal is unavailable, or refuses requests. The log has its error, under requestId. The request may still be carried ' +
      'out. Repeat it with the same Idempotency-Key.';
    return ProblemError.#toRetry('temporal_unavailable', message, cause);
  }

  static #toRetry(code: ErrorCode, message: string, cause: unknown): ProblemError {
    const problem = new ProblemError(code, message);
    problem.cause = cause;
    return problem;
  }
}

/** Makes a problem of any thrown value. What was not foreseen is a defect, whose cause is only in the log. */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof ODataError) return ProblemError.ofQuery(thrown);
  if (thrown instanceof Rejected) return ProblemError.rejected(thrown.rejection);
  // Nothing is kept back: the message has the id of a key and the name of a setting.
  const refused = keyRefusedIn(thrown);
  if (refused) return new ProblemError('payload_key', refused.message);
  if (isUnanswered(thrown)) return ProblemError.unanswered(thrown);
  if (isTemporalAway(thrown)) return ProblemError.temporalAway(thrown);
  return new ProblemError('defect', 'An internal error. The log has it, under requestId.');
}

/**
 * The members that a code determines: the address of its page in the guide, and `already_in_progress` as the title `Already in progress`. A
 * code that an entity has declared has no page.
 */
export function kindOf(code: string): { readonly type: string; readonly title: string } {
  const words = code.replaceAll('_', ' ');
  return {
    type: errorPage(code) ?? `urn:reeve:problem:${code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
  };
}

/** A problem as its document says it. @param instance the path of the request */
export function problemDocument({ code, status, message, details }: ProblemError, instance: string, requestId: string) {
  return {
    ...kindOf(code),
    ...{ status, detail: message, instance, code, requestId },
    error: { code, message },
    ...details,
  };
}

import { isRecord } from './json-value.js';

/** The reason why the management service did not do what it was asked for: a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    /** Stable, for programs. */
    readonly code: string,
    message: string,
    /** The other members of the document: `validNow`, `operation`, `issues` and so on. */
    readonly details: Readonly<Record<string, unknown>> = {},
    /** The path on which the operation that it names can be followed. */
    readonly location?: string,
  ) {
    super(message);
  }

  /** The same problem in other words. */
  saying(message: string, details = this.details): Problem {
    return new Problem(this.status, this.code, message, details, this.location);
  }
}

/** Members that say nothing new beside the others: `error` is the same in the form of OData. */
const KNOWN = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'error'];

/** The problem in an answer. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const location = headers.get('operation-location') ?? undefined;
  if (!isRecord(body) || typeof body['code'] !== 'string' || typeof body['detail'] !== 'string') {
    // The answer may come from a proxy before the service.
    const message = `The response has status ${status} and no error message. Check that REEVE_API is the address of a management service.`;
    return new Problem(status, `http_${status}`, message);
  }
  const details = Object.fromEntries(Object.entries(body).filter(([name]) => !KNOWN.includes(name)));
  return new Problem(status, body['code'], body['detail'], details, location);
}

/** A mistake in a request, and its place. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The character, from 1, at which it begins. */
  readonly position?: number;
}

/** The single mistakes, where the problem names them. */
export function issuesOf({ details }: Problem): readonly Issue[] {
  const { issues } = details;
  return Array.isArray(issues) ? (issues as readonly Issue[]) : [];
}

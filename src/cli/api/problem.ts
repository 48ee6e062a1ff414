import { isRecord } from './json-value.js';

/** The management service does not do what it was asked for, and says why: a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    /** Stable, for programs. */
    readonly code: string,
    message: string,
    /** What else the document tells: `validNow`, `operation`, `issues` and so on. */
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Where the operation is followed that it names. */
    readonly location?: string,
  ) {
    super(message);
  }

  /** The same with other words. */
  saying(message: string): Problem {
    return new Problem(this.status, this.code, message, this.details, this.location);
  }
}

/** Members that say nothing to those who have the rest. */
const KNOWN = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'];

/** The problem that an answer tells of. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const location = headers.get('operation-location') ?? undefined;
  if (!isRecord(body) || typeof body['code'] !== 'string' || typeof body['detail'] !== 'string') {
    // It may come from something that stands before the service.
    const message = `The answer is ${status}, without a word of what is wrong. Does REEVE_API name a management service?`;
    return new Problem(status, `http_${status}`, message);
  }
  const details = Object.fromEntries(Object.entries(body).filter(([name]) => !KNOWN.includes(name)));
  return new Problem(status, body['code'], body['detail'], details, location);
}

/** What is not right in what was asked, and where. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The character, from 1, at which it begins. */
  readonly position?: number;
}

/** The single things that are wrong, where the problem names them. */
export function issuesOf({ details }: Problem): readonly Issue[] {
  const { issues } = details;
  return Array.isArray(issues) ? (issues as readonly Issue[]) : [];
}

import { NoAnswer, Problem, type ProblemDocument } from './problem.js';
import { token, unknownToken } from '../session/token.js';

/** How long an answer may take, in milliseconds. */
const ANSWERS_WITHIN_MS = 30_000;

/** The answer that the service has given. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly signal?: AbortSignal;
}

/** Asks the service, as whoever has signed in. @throws Problem; NoAnswer */
export async function ask<T>(
  method: 'GET' | 'POST',
  path: string,
  { headers = {}, json, signal }: Asked = {},
): Promise<Answered<T>> {
  const limit = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  let response: Response;
  let text: string;
  const shown = token.value;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(shown !== undefined && { authorization: `Bearer ${shown}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      cache: 'no-store',
    });
    text = await response.text();
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new NoAnswer('The service does not answer.', { cause: thrown });
  }
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (response.ok) return { status: response.status, headers: response.headers, body: body as T };
  if (response.status === 401) unknownToken(shown);
  throw new Problem(body as ProblemDocument);
}

/** Reads something. @throws Problem; NoAnswer */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask<T>('GET', path, signal ? { signal } : {})).body;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Change, Changes } from '../protocol/change.js';
import { timeLimit } from './time-limit.js';

/** Describes a listener of the feed of changes. */
export interface ListenOptions {
  /** The address of the management service: `https://reeve.example.com`. */
  readonly service: string;
  /** Sets what shows who asks: `{ authorization: 'Bearer ...' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The position of the last change that is done with, or `now`; without it, the feed is read from its beginning. */
  readonly after?: string | undefined;
  /** Only changes of entities of these types. */
  readonly types?: readonly string[];
  /** Only changes of these kinds. */
  readonly kinds?: readonly Change['kind'][];
  /** A name, under which operators see how far behind it is. L4 */
  readonly name?: string;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** The feed does not reach back to a position any more: changes were deleted since, or the store was restored. */
export class PositionGone extends Error {
  /** The position where the feed begins now. */
  readonly begin: string;

  constructor(message: string, begin: string) {
    super(message);
    this.name = 'PositionGone';
    this.begin = begin;
  }
}

/** The service refuses, and would do so again. */
export class ListeningRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ListeningRefused';
    this.status = status;
  }
}

/** The pause between two questions while nothing happens, and the longest one while nobody answers, in milliseconds. */
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 30_000;
/** Answers that another question can mend. */
const PASSING = [429, 500, 502, 503, 504];

/**
 * Listens to the changes of entities: each change at least once, and those of an entity in their order. The next one comes when
 * the handler is done. Keep the `position` of a change with what you made of it, and begin after it the next time. While no service
 * answers, it asks again. A6
 * @returns when the signal ends it
 * @throws PositionGone; ListeningRefused, also where something else answers; TypeError for an address or headers that are not right;
 *   and whatever the handler throws
 */
export async function listen(options: ListenOptions, handle: (change: Change) => Promise<void> | void): Promise<void> {
  const { signal } = options;
  let { after } = options;
  let failures = 0;
  while (!signal?.aborted) {
    const page = await ask(options, after);
    if (signal?.aborted) return;
    if (page === undefined) {
      await pause(Math.min(PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS), signal);
      continue;
    }
    failures = 0;
    for (const change of page.items) {
      await handle(change);
      after = change.position;
      if (signal?.aborted) return;
    }
    after = page.position;
    if (!page.more) await pause(PAUSE_MS, signal);
  }
}

/** Gives `undefined` where nobody answers at the moment. */
async function ask(options: ListenOptions, after: string | undefined): Promise<Changes | undefined> {
  const { service, headers = {}, types, kinds, name, signal } = options;
  const url = new URL('/api/changes', service);
  if (after !== undefined) url.searchParams.set('after', after);
  if (types) url.searchParams.set('types', types.join(','));
  if (kinds) url.searchParams.set('kinds', kinds.join(','));
  if (name !== undefined) url.searchParams.set('listener', name);
  const limit = timeLimit(ANSWER_MS, signal);
  // Anything that is wrong with it will be so the next time, too.
  const request = new Request(url, {
    headers: { accept: 'application/json', ...headers },
    signal: limit.signal,
  });
  let status: number;
  let text: string;
  try {
    const response = await fetch(request);
    [status, text] = [response.status, await response.text()];
  } catch {
    // Nobody is there, or the connection broke.
    return undefined;
  } finally {
    limit.clear();
  }
  if (PASSING.includes(status)) return undefined;
  const body = parseJson(text);
  if (status === 200 && body?.items) return body as Changes;
  const { detail = `There is no feed of changes at ${url.origin}: it answered ${status}.`, begin } = body ?? {};
  if (status === 410 && begin !== undefined) throw new PositionGone(detail, begin);
  throw new ListeningRefused(status, detail);
}

/** Gives `undefined` for what is not JSON, as when another program has answered. */
function parseJson(
  text: string,
): (Partial<Changes> & { readonly detail?: string; readonly begin?: string }) | undefined {
  try {
    return JSON.parse(text) as Partial<Changes>;
  } catch {
    return undefined;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}

import type { Problem } from '../api/problem.js';
import { send, type Sending } from './sending.js';
import type { Call } from '../parts/commands.js';

/** What has become of one of many requests. */
export type One =
  | { readonly state: 'waiting' | 'sending' }
  | { readonly state: 'unknown'; readonly why: string }
  | {
      readonly state: 'taken';
      readonly operation: string | undefined;
      readonly on: string | undefined;
      readonly outcome: string;
    }
  | { readonly state: 'refused'; readonly code: string; readonly message: string }
  /** It was not sent, since somebody has stopped before its turn. */
  | { readonly state: 'left' };

/** A request that is one of many, about the entity of this id. */
export interface Request {
  readonly id: string;
  readonly call: Call;
}

/** More at once would hold up others. */
const AT_ONCE = 8;

/**
 * Sends many requests, in their order, so many a second.
 * @param tell is told what becomes of each
 * @param stop after this, none begins any more; those that have begun are told to their end
 */
export async function raiseMany(
  requests: readonly Request[],
  perSecond: number,
  tell: (id: string, one: One) => void,
  stop: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = Date.now();
  for (const [index, { id, call }] of requests.entries()) {
    await until(begun + (index * 1_000) / perSecond, stop);
    while (running.size >= AT_ONCE && !stop.aborted) await Promise.race(running);
    if (stop.aborted) {
      tell(id, { state: 'left' });
      continue;
    }
    tell(id, { state: 'sending' });
    const one = send(call, (sending) => tell(id, heard(sending)), NEVER).then((outcome) => tell(id, heard(outcome)));
    running.add(one);
    void one.finally(() => running.delete(one));
  }
  await Promise.all(running);
}

/** What has been sent is asked about until it is known. */
const NEVER = new AbortController().signal;

function heard(sending: Sending): One {
  switch (sending.state) {
    case 'refused':
      return { state: 'refused', ...reasonOf(sending.problem) };
    case 'taken':
    case 'unknown':
      return sending;
    default:
      return { state: 'sending' };
  }
}

function reasonOf({ code, message }: Problem) {
  return { code, message };
}

async function until(time: number, stop: AbortSignal): Promise<void> {
  const ms = time - Date.now();
  if (ms <= 0 || stop.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

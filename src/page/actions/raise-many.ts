import { ask } from '../api/client.js';
import { NoAnswer, Problem } from '../api/problem.js';
import type { RaiseManyReport, RaiseManyRequest } from '../api/shapes.js';
import { shellWord } from '../../definition/shell-word.js';
import type { Call } from '../parts/commands.js';
import { isUndecided, newKey, pauses } from './sending.js';

/** The outcome of one of many events. */
export type One =
  | { readonly state: 'waiting' | 'sending' }
  | { readonly state: 'unknown'; readonly why: string }
  | {
      readonly state: 'accepted';
      readonly operation: string | undefined;
      readonly on: string | undefined;
      readonly outcome: string;
    }
  | { readonly state: 'rejected'; readonly code: string; readonly message: string }
  /** It was not sent, since somebody has stopped before its turn. */
  | { readonly state: 'left' };

/** An event on one of many entities. */
export type Each = RaiseManyRequest['events'][number];

/** The call that raises events on many entities, and reports on each. */
export function raiseManyCall(events: readonly Each[]): Call {
  const [first, ...others] = events;
  const also = others.length === 0 ? '' : ` --also ${others.map(({ entity }) => shellWord(entity)).join(' ')}`;
  const params = first?.parameters === undefined ? '' : ` --params ${shellWord(JSON.stringify(first.parameters))}`;
  return {
    ...{ method: 'POST', path: '/api/raise', json: { events } },
    reeve: `reeve raise ${shellWord(first?.entity ?? '')} ${first?.event}${params}${also}`,
  };
}

/** How many requests are under way at the same time: more would hold up others. */
const AT_ONCE = 2;

/**
 * Raises many events, in their order, so many a second: those of each second as one request.
 * @param tell is told what becomes of each, by its entity
 * @param stop after this, none begins any more; those that have begun are told to their end
 */
export async function raiseMany(
  events: readonly Each[],
  perSecond: number,
  tell: (entity: string, one: One) => void,
  stop: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = Date.now();
  const size = Math.max(1, Math.floor(perSecond));
  for (let first = 0; first < events.length; first += size) {
    const part = events.slice(first, first + size);
    await until(begun + (first * 1_000) / perSecond, stop);
    while (running.size >= AT_ONCE && !stop.aborted) await Promise.race(running);
    if (stop.aborted) {
      for (const { entity } of part) tell(entity, { state: 'left' });
      continue;
    }
    const sent = sendPart(part, tell);
    running.add(sent);
    void sent.finally(() => running.delete(sent));
  }
  await Promise.all(running);
}

/** Sends events under one key, again and again until it is known what has become of each. */
async function sendPart(part: readonly Each[], tell: (entity: string, one: One) => void): Promise<void> {
  const headers = { 'idempotency-key': newKey(), prefer: 'wait=1' };
  const { method, path } = raiseManyCall(part);
  for (const { entity } of part) tell(entity, { state: 'sending' });
  for await (const _ of pauses(NEVER)) {
    // Of those that are known, the same key tells the same again.
    const unknown = (why: string) => {
      for (const { entity } of part) tell(entity, { state: 'unknown', why });
    };
    try {
      const { body } = await ask<RaiseManyReport>(method, path, { headers, json: { events: part } });
      for (const item of body.items) tell(item.entity, heard(item));
      if (body.unknown === 0) return;
    } catch (thrown) {
      if (thrown instanceof Problem && !isUndecided(thrown.code)) {
        for (const { entity } of part) tell(entity, { state: 'rejected', code: thrown.code, message: thrown.message });
        return;
      }
      if (!(thrown instanceof Problem) && !(thrown instanceof NoAnswer)) throw thrown;
      unknown(thrown.message);
    }
  }
}

/** An event that has been sent is asked about until it is known. */
const NEVER = new AbortController().signal;

function heard({ entity, status, operation, problem }: RaiseManyReport['items'][number]): One {
  if (operation) return { state: 'accepted', operation: operation.request_id, on: entity, outcome: operation.outcome };
  const { code = '', detail = '' } = problem ?? {};
  return status === 429 || status >= 500
    ? { state: 'unknown', why: detail }
    : { state: 'rejected', code, message: detail };
}

async function until(time: number, stop: AbortSignal): Promise<void> {
  const ms = time - Date.now();
  if (ms <= 0 || stop.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

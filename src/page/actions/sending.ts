import { ask } from '../api/client.js';
import { NoAnswer, Problem } from '../api/problem.js';
import type { OperationRepresentation } from '../api/shapes.js';
import type { Call } from '../parts/commands.js';

/** Where a request is that raises something. */
export type Sending =
  | { readonly state: 'ready' }
  | { readonly state: 'sending' }
  /** No answer has come: it is asked with the same key, so that nothing happens twice. */
  | { readonly state: 'unknown'; readonly why: string }
  | {
      readonly state: 'accepted';
      readonly operation: string | undefined;
      readonly on: string | undefined;
      readonly outcome: string;
      /** The name that the answer gives: of an operation, or of what was started. */
      readonly named: string | undefined;
    }
  | { readonly state: 'rejected'; readonly problem: Problem };

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 5_000];
/** Answers after which nobody knows whether it has happened. The same key asks again. */
const UNDECIDED = new Set([
  'no_answer',
  'temporal_unavailable',
  'try_again',
  'store_unavailable',
  'stopping',
  'too_many_requests',
]);

/** Tells whether nobody knows after such an answer what has happened. */
export function isUndecided(code: string): boolean {
  return UNDECIDED.has(code);
}

/** A turn at once, and another one after each pause, which grows. */
export async function* pauses(signal: AbortSignal): AsyncGenerator<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    yield;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) throw new DOMException('It is not followed any longer.', 'AbortError');
  }
}

/**
 * Sends a request under one Idempotency-Key, again and again until it was answered.
 * @param tell is told where it is
 * @returns where it has come to: taken or refused
 */
export async function send(call: Call, tell: (sending: Sending) => void, signal: AbortSignal): Promise<Sending> {
  const headers = { ...call.headers, 'idempotency-key': newKey(), prefer: 'wait=1' };
  tell({ state: 'sending' });
  for await (const _ of pauses(signal)) {
    try {
      const { headers: answered, body } = await ask<OperationRepresentation>(call.method, call.path, {
        ...{ headers, signal },
        ...(call.json !== undefined && { json: call.json }),
      });
      const on = new URL(answered.get('operation-location') ?? '', location.href).searchParams.get('on') ?? undefined;
      const { request_id: operation, outcome, name } = body;
      return { state: 'accepted', operation, on, outcome, named: name ?? undefined };
    } catch (thrown) {
      if (thrown instanceof Problem && !isUndecided(thrown.code)) return { state: 'rejected', problem: thrown };
      if (!(thrown instanceof Problem) && !(thrown instanceof NoAnswer)) throw thrown;
      tell({ state: 'unknown', why: thrown.message });
    }
  }
  throw new Error('The turns have ended, which they never do.');
}

/** An Idempotency-Key: a UUID of version 7 carries its time, so the service knows at once that it is new. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let index = 5; index >= 0; index--) {
    bytes[index] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

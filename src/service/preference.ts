import { LONGEST_HOLD_MS } from '../protocol/request.js';
import type { ServiceSettings } from './settings.js';

/**
 * How many seconds the caller prefers to wait for the outcome (RFC 7240), at most `longest`: `Prefer: wait=10`. Gives `undefined`
 * without that preference, and when it is not understood, as the standard says.
 */
export function preferredWait(prefer: string | undefined, longest: number): number | undefined {
  for (const preference of prefer?.split(',') ?? []) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), longest);
  }
  return undefined;
}

/** How many milliseconds an entity has to hold back its answer for a caller who prefers to wait. S4.7 */
export function preferredHold(
  prefer: string | undefined,
  { longestWait, answerMs }: Pick<ServiceSettings, 'longestWait' | 'answerMs'>,
): { readonly holdMs?: number } {
  const seconds = preferredWait(prefer, longestWait);
  if (!seconds) return {};
  // The entity has to answer well before the service takes its silence for no answer.
  return { holdMs: Math.min(seconds * 1_000, LONGEST_HOLD_MS, Math.ceil(answerMs / 2)) };
}

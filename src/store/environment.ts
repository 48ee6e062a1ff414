import { parseDuration, type Duration } from '../definition/duration.js';

/** Describes for how long the store keeps what nobody needs for ever, in milliseconds. */
export interface Retention {
  /** Rejected events. S2.2 */
  readonly rejectionsKeptMs: number;
  /** The changes of the feed. A6 */
  readonly changesKeptMs: number;
}

/**
 * Reads `REEVE_REJECTIONS_RETENTION`, by default 30 days, and `REEVE_CHANGES_RETENTION`, by default 7 days.
 * @throws when one of them is not a length of time
 */
export function retentionFrom(env: NodeJS.ProcessEnv): Retention {
  return {
    rejectionsKeptMs: lengthIn(env, 'REEVE_REJECTIONS_RETENTION', '30d'),
    changesKeptMs: lengthIn(env, 'REEVE_CHANGES_RETENTION', '7d'),
  };
}

function lengthIn(env: NodeJS.ProcessEnv, name: string, usual: Duration): number {
  const given = env[name] || usual;
  const kept = parseDuration(given as Duration);
  if (kept !== undefined) return kept;
  throw new Error(`${name} is '${given}', which is not a length of time. Write a number and its unit: 12h, 30d.`);
}

import { table } from './view.js';

/** After this time without a sign of life, a writer has died. It gives one every 5 s. */
const SILENCE = `interval '15 seconds'`;

/**
 * SQL: how many of the resumptions that fulfil a condition came since a process had died: it has given no sign of life after them,
 * and has not said that it ends. They are called `r` in the condition. S5.1
 */
export function resumptionsAfterDeath(condition: string): string {
  return `(select count(*)::integer from ${table('resumptions')} r join ${table('writers')} w on w.writer = r.writer
    where ${condition} and w.seen_at < r.at and w.seen_at < now() - ${SILENCE})`;
}

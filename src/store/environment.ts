import { parseDuration, type Duration } from '../definition/duration.js';

const USUAL: Duration = '30d';

/**
 * How long the store keeps rejected events, in milliseconds: `REEVE_REJECTIONS_KEPT`, by default 30 days.
 * @throws when the value is not a length of time
 */
export function rejectionsKeptFrom(env: NodeJS.ProcessEnv): number {
  const given = env['REEVE_REJECTIONS_KEPT'] || USUAL;
  const kept = parseDuration(given as Duration);
  if (kept !== undefined) return kept;
  throw new Error(
    `REEVE_REJECTIONS_KEPT is '${given}', which is not a length of time. Write a number and its unit: 12h, 30d.`,
  );
}

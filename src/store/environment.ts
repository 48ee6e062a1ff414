import { parseDuration, type Duration } from '../definition/duration.js';

const USUAL: Duration = '30d';

/** How long the store keeps which events were rejected: `REEVE_REJECTIONS_KEPT`, by default 30 days; in milliseconds. @throws when it is no length of time */
export function rejectionsKeptFrom(env: NodeJS.ProcessEnv): number {
  const given = env['REEVE_REJECTIONS_KEPT'] || USUAL;
  const kept = parseDuration(given as Duration);
  if (kept !== undefined) return kept;
  throw new Error(
    `REEVE_REJECTIONS_KEPT is '${given}', which is no length of time. Write a number and its unit: 12h, 30d.`,
  );
}

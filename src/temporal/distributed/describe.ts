import { stateOf, type InstanceReading } from '../../distributed/index.js';

/** How many lines about jobs and lanes people are shown. */
const MOST_LINES = 20;

/** An instance for people, as Markdown: Temporal's UI shows it. */
export function describeInstance(reading: InstanceReading): string {
  const { outcome, reason, jobs, atOnce, lanes, troubles, retries, blocked = [] } = reading;
  const ended = reading.phase === 'ended' ? (outcome ?? 'ended') : stateOf(reading);
  const fails = jobs.failed > 0 ? `, ${jobs.failed} failed` : '';
  return [
    `**${ended}**: ${jobs.succeeded} of ${jobs.all} jobs have ended well${fails}; ${jobs.running} of at most ${atOnce} lanes are under way.`,
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...list(lanes.map(({ place, partitions }) => `${place}: partitions ${partitions}`)),
    ...list(blocked.map(({ partitions, message }) => `partitions ${partitions}: ${message}`)),
    ...list(
      troubles.map(
        ({ partition, attempts, message }) =>
          `partition ${partition}, ${attempts} failed attempts${message === undefined ? '' : `: ${message}`}`,
      ),
    ),
    ...list(
      retries.map(
        ({ kind, place, attempts, message }) =>
          `${kind}${place === undefined ? '' : ` at ${place}`}, ${attempts} failed attempts: ${message}`,
      ),
    ),
  ].join('\n\n');
}

function list(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`- and ${lines.length - MOST_LINES} more`] : [];
  return [[...lines.slice(0, MOST_LINES).map((line) => `- ${line}`), ...more].join('\n')];
}

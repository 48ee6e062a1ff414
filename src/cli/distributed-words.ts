import type { DistributedOperation } from './api/distributed.js';
import { colours as pc } from './colours.js';
import { formatMilliseconds } from './explanation/time-words.js';
import { formatDuration, formatTime, type Clock } from './list/time.js';
import { isOnePartition, partitionsInWords } from './explanation/partition-words.js';
import { paintOutcome } from './list/columns.js';
import { distributedState, runningInstance, type OperationStanding } from './explanation/distributed-state.js';

/** A distributed operation for people: how far it is, where its jobs run, and which are tried again. */
export function distributedLines(read: DistributedOperation, clock: Clock): readonly string[] {
  const { lanes, troubles, failures, blocked, retries, object, reason, '@reeve.execution': link } = read;
  return [
    titleOf(read),
    `  ${progressOf(read, clock)}`,
    ...(object === null ? [] : [pc.dim(`  works on ${object}`)]),
    ...(reason === null ? [] : [`  ${reason}`]),
    pc.dim(`  started ${formatTime(read.start_time, clock)}, at most ${jobs(read.at_once)} at once`),
    ...(read.stale && read.end_time === null
      ? [
          pc.yellow(
            `  no worker answers for it: this is its status at ${formatTime(read.reported_time, clock)}, from the store`,
          ),
        ]
      : []),
    ...(link === undefined ? [] : [pc.dim(`  ${link}`)]),
    ...lanes.map(({ place, partitions, partition, ended }) => {
      const at = partition === undefined ? '' : `at partition ${partition}, `;
      const now = ended === undefined ? 'waits for an executor' : `${at}${ended} ended`;
      return `  ${place}: ${partitionsInWords(shortened(partitions))}, ${now}`;
    }),
    ...blocked.map(({ partitions, message, since_time: since, pids }) => {
      // The message may name some of them.
      const others = pids.filter((pid) => !message.includes(`${pid}`));
      const by = others.length === 0 ? '' : ` (${others.length === 1 ? 'pid' : 'pids'} ${others.join(', ')})`;
      const time = since === null ? '' : `, since ${formatTime(since, clock)}`;
      return pc.yellow(
        `  ${partitionsInWords(shortened(partitions))} ${isOnePartition(partitions) ? 'waits' : 'wait'}${time}: ${message}${by}`,
      );
    }),
    ...troubles.map(({ partition, attempts, message = 'no reason was given' }) =>
      pc.yellow(`  partition ${partition} ${retryWords(attempts)}: ${message}`),
    ),
    ...failures.map(({ partition, message = 'no reason was given' }) =>
      pc.red(`  partition ${partition} has failed: ${message}`),
    ),
    ...retries.map(({ call, place, attempts, message }) =>
      pc.yellow(`  ${callWords(call, place)} ${retryWords(attempts)}: ${message}`),
    ),
  ];
}

/** Says how a job goes on. One without a failed attempt has postponed itself. */
function retryWords(attempts: number): string {
  if (attempts === 0) return 'waits';
  return `is tried again after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`;
}

function callWords(call: DistributedOperation['retries'][number]['call'], place: string | null): string {
  switch (call) {
    case 'clean':
    case 'tidy':
      return `the clean-up at ${place}`;
    case 'place':
      return 'the question where partitions are';
    case 'complete':
      return 'the completion';
    case 'leave':
      return 'the end';
  }
}

/** In one line: `orders/buildIndex/3  running`, or how it has ended. */
export function titleOf({ name, state, outcome }: DistributedOperation): string {
  return `${name}  ${paintState(distributedState(state, outcome), outcome)}`;
}

/** Green when it has succeeded, red when it has failed, and yellow when it was canceled. */
export function paintState(text: string, outcome: string | null): string {
  if (outcome === null) return text;
  return outcome === 'succeeded' ? pc.green(text) : outcome === 'failed' ? pc.red(text) : pc.yellow(text);
}

/** The state of an operation in its color. */
export function paintOperation(text: string, operation: OperationStanding): string {
  const instance = runningInstance(operation);
  return instance && text !== 'running' ? paintState(text, instance.outcome) : paintOutcome(text);
}

/** ` 42.0 %  420 of 1000 jobs  35.0 jobs/s  ends in 17 s (14:03:21)` */
export function progressOf(read: DistributedOperation, clock: Clock): string {
  const {
    done,
    jobs: all,
    start_time: start,
    end_time: end,
    estimated_end_time: estimated,
    reported_time: said,
  } = read;
  const ended = all.succeeded + all.failed;
  const ms = Date.parse(end ?? said) - Date.parse(start);
  const workedMs = ms - read.paused_ms;
  const rate =
    workedMs > 0 && read.state !== 'paused' ? `${((done * all.all * 1_000) / workedMs).toFixed(1)} jobs/s` : '';
  const when =
    end !== null
      ? `took ${formatMilliseconds(ms)}`
      : estimated === null
        ? ''
        : `ends in ${formatDuration(said, estimated, clock)} (${formatTime(estimated, clock)})`;
  const failed = all.failed > 0 ? pc.red(`${all.failed} failed`) : '';
  const percent = `${(done * 100).toFixed(1).padStart(5)} %`;
  return [percent, `${ended} of ${jobs(all.all)}`, failed, rate, when].filter((part) => part !== '').join('  ');
}

function jobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`;
}

/** A set of partitions that no line holds. */
function shortened(partitions: string): string {
  return partitions.length > 60 ? `${partitions.slice(0, 59)}…` : partitions;
}

import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/index.js';
import { createPool } from '../../src/store/pool.js';
import type { Field } from './field.js';

/** The rows that should be in the store: of each job its end, and its attempts. */
interface Expected {
  readonly operations: number;
  readonly partitions: number;
  /** How many jobs executors had at hand when they were cut off. */
  readonly cutOff: number;
  /** The partitions that have moved. */
  readonly moved: ReadonlySet<number>;
  readonly report: (line: string) => void;
}

/** How long records that were left to workflows of their own may take, in milliseconds. */
const ARRIVE_WITHIN_MS = 150_000;

const JOBS = `select e.state_machine_type as type, e.keys, e.end_state, (select t.action_name from reeve.state_machine_transitions t
    where t.event_id = e.event_id order by t.transition_ordinal desc limit 1) as place
  from reeve.state_machine_events e where e.workflow_position <> '1'`;
const ATTEMPTS = `select e.state_machine_type as type, e.keys, t.action_name as place, count(*)::int as count
  from reeve.state_machine_transitions t join reeve.state_machine_events e on e.event_id = t.event_id group by 1, 2, 3`;

interface Job {
  readonly type: string;
  readonly keys: string;
  readonly end_state: string | null;
  /** Where its last attempt was. */
  readonly place: string;
}

/** Migrates a new store. */
export async function prepareStore(url: string): Promise<void> {
  const store = openStore({ url, dimensions: [] });
  await store.migrate();
  await store.close();
}

/** Compares the rows with what the jobs have left in the field: every job with its place, and every attempt. S5.1, S5.2, I1 */
export async function examineStore(url: string, field: Field, expected: Expected): Promise<readonly string[]> {
  const store = openStore({ url, dimensions: [] });
  const pool = createPool({ url, connections: 2, name: 'verify' });
  try {
    for (const until = Date.now() + ARRIVE_WITHIN_MS; ;) {
      const problems = await compare();
      if (problems.length === 0 || Date.now() > until) return problems;
      await delay(2_000);
    }
  } finally {
    await pool.end();
    await store.close();
  }

  async function compare(): Promise<readonly string[]> {
    const problems: string[] = [];
    const ask = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows;
    const ended = await ask(
      'select from reeve.operations where outcome = $$success$$ and workflow_end_time is not null',
    );
    if (ended.length !== expected.operations)
      problems.push(`the store has ${ended.length} operations that have succeeded, and not ${expected.operations}`);
    const jobs = await ask<Job>(JOBS);
    const wanted = expected.operations * expected.partitions;
    const done = jobs.filter(({ end_state }) => end_state === 'succeeded');
    if (jobs.length !== wanted || done.length !== wanted)
      problems.push(`the store has ${jobs.length} jobs, ${done.length} of which have succeeded, and not ${wanted}`);
    const gaps = await store.gaps();
    if (gaps.length > 0) problems.push(`attempts are missing in the store: ${JSON.stringify(gaps.slice(0, 3))}`);
    problems.push(...(await placesThatDiffer(jobs)), ...(await attemptsThatDiffer(ask)));
    return problems;
  }

  /** A job counts where its stamps are. */
  async function placesThatDiffer(jobs: readonly Job[]): Promise<readonly string[]> {
    const { rows } = await field.pool.query<{ instance: string; partition: number; place: string }>(
      'select distinct instance, partition, place from stamped',
    );
    // Surveys leave no places.
    const told = new Map(jobs.filter(({ type }) => type === 'stamp').map(({ keys, place }) => [keys, place]));
    // A stamping `field/stamp/3` of partition 7 is `field/3/7` in the store.
    const wrong = rows.filter(
      ({ instance, partition, place }) => told.get(`${instance.replace('/stamp/', '/')}/${partition}`) !== place,
    );
    return wrong.length === 0
      ? []
      : [`${wrong.length} jobs are told elsewhere than they count: ${JSON.stringify(wrong[0])}`];
  }

  async function attemptsThatDiffer(ask: <Row extends object>(text: string) => Promise<Row[]>) {
    const told = await ask<{ type: string; keys: string; place: string; count: number }>(ATTEMPTS);
    const { rows: begun } = await field.pool.query<{
      instance: string;
      partition: number;
      place: string;
      times: number;
    }>('select instance, partition, place, times from begun');
    const counts = new Map<string, number>();
    for (const { type, keys, place, count } of told) {
      const [, target, instance, partition] = /^(.*)\/(\d+)\/(\d+)$/.exec(keys)!;
      counts.set(`${target}/${type}/${instance} ${partition} ${place}`, count);
    }
    // The next lane at the place tells how often a job was begun there: so an attempt is missing only where the job has moved before, and
    // nobody has heard that the executor was at it. One is told that never began where the executor was cut off between its record and
    // its code. Both are at most one for each job at hand. telling.2
    let missing = 0;
    let more = 0;
    const stayed: string[] = [];
    for (const { instance, partition, place, times } of begun) {
      const key = `${instance} ${partition} ${place}`;
      const difference = times - (counts.get(key) ?? 0);
      counts.delete(key);
      if (difference > 0 && !expected.moved.has(partition)) stayed.push(key);
      if (difference > 0) missing += difference;
      else more -= difference;
    }
    for (const count of counts.values()) more += count;
    const { cutOff, report } = expected;
    report(`the store lacks ${missing} attempts, and has ${more} that never began; ${cutOff} jobs were cut off`);
    return [
      ...(stayed.length === 0
        ? []
        : [`attempts of ${stayed.length} jobs that have never moved are missing in the store: ${stayed[0]}`]),
      ...(missing <= cutOff && more <= cutOff
        ? []
        : [`${missing} attempts are missing and ${more} never began, more than the ${cutOff} that were cut off`]),
    ];
  }
}

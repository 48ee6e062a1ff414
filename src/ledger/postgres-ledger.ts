import type pg from 'pg';
import type { EndedJobs, JobChange, JobLedger, JobName, JobRecord, OpenedJob } from '../distributed/index.js';
import { createPool } from '../store/pool.js';

/** Everything is in this schema, so that nothing that is published or copied has it. */
const SCHEMA = 'reeve_jobs';
/** Of all that create the table at once, one does it. The number is any that nobody else uses. */
const LOCK = 7_346_582_913;
const CONNECTIONS = 4;

const CREATE = `
  create schema if not exists ${SCHEMA};
  create table if not exists ${SCHEMA}.job (
    keeper     text   not null,
    instance   text   not null,
    partition  bigint not null,
    number     bigint not null,
    target     text   not null,
    type       text   not null,
    argument   jsonb,
    assignment bigint not null,
    state      text   not null check (state in ('running', 'complete', 'failed')),
    result     jsonb,
    progress   jsonb,
    attempts   bigint not null default 0,
    primary key (keeper, instance, partition)
  );
  alter table ${SCHEMA}.job add column if not exists attempts bigint not null default 0`;

interface Row {
  readonly keeper: string;
  readonly instance: string;
  readonly partition: number;
  readonly number: number;
  readonly target: string;
  readonly type: string;
  readonly argument: unknown;
  readonly assignment: number;
  readonly attempts: number;
  readonly state: JobRecord['state'];
  readonly result: unknown;
  readonly progress: unknown;
}

/**
 * The records of the jobs of one place, in a PostgreSQL there. They outlive the executor, and its machine where the database does.
 * Each change is one statement, so that of two executors the one with the higher number wins. I2
 */
export class PostgresLedger implements JobLedger {
  readonly #pool: pg.Pool;
  readonly #keeper: string;
  #created: Promise<void> | undefined;

  /**
   * The database need not answer yet: it is asked when a job begins. `keeper` says whose records these are: a copy of the database
   * also has those of the original, which are not its own, and are removed.
   */
  constructor(url: string, keeper = '') {
    this.#keeper = keeper;
    this.#pool = createPool({ url, connections: CONNECTIONS, name: 'reeve executor' });
  }

  async open({
    instance,
    partition,
    number,
    target,
    type,
    argument,
    assignment,
  }: OpenedJob): Promise<JobRecord | 'fenced'> {
    const [row] = await this.#ask(
      `insert into ${SCHEMA}.job as job (keeper, instance, partition, number, target, type, argument, assignment, state, attempts)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', 1)
       on conflict (keeper, instance, partition) do update set number = excluded.number,
         attempts = job.attempts + case job.state when 'running' then 1 else 0 end
       where job.number <= excluded.number
       returning *`,
      [this.#keeper, instance, partition, number, target, type, jsonOf(argument), assignment],
    );
    return row ? recordOf(row) : 'fenced';
  }

  async write(
    { instance, partition, number }: JobName & { readonly number: number },
    change: JobChange,
  ): Promise<boolean> {
    const values: unknown[] = [this.#keeper, instance, partition, number];
    const sets = (['assignment', 'attempts', 'state', 'result', 'progress'] as const).flatMap((column) => {
      if (!(column in change)) return [];
      values.push(column === 'result' || column === 'progress' ? jsonOf(change[column]) : change[column]);
      return [`${column} = $${values.length}`];
    });
    const rows = await this.#ask(
      `update ${SCHEMA}.job set ${sets.join(', ')} where keeper = $1 and instance = $2 and partition = $3 and number = $4 returning *`,
      values,
    );
    return rows.length > 0;
  }

  /** Where no job has ever begun, nothing is made by that. */
  async records(): Promise<readonly JobRecord[]> {
    if (!(await this.#isThere())) return [];
    return (
      await this.#ask(`select * from ${SCHEMA}.job where keeper = $1 order by instance, partition`, [this.#keeper])
    ).map(recordOf);
  }

  async removeEnded({ instance, partitions, number }: EndedJobs): Promise<void> {
    if (!(await this.#isThere())) return;
    await this.#ask(
      `delete from ${SCHEMA}.job
       where keeper = $1 and instance = $2 and partition = any ($3) and number <= $4 and state <> 'running'`,
      [this.#keeper, instance, partitions, number],
    );
  }

  async remove({ instance, partition, number }: JobName & { readonly number: number }): Promise<void> {
    await this.#ask(
      `delete from ${SCHEMA}.job where keeper = $1 and instance = $2 and partition = $3 and number <= $4`,
      [...[this.#keeper, instance, partition, number]],
    );
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #isThere(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ there: string | null }>(`select to_regclass('${SCHEMA}.job') as there`);
    return typeof rows[0]?.there === 'string';
  }

  async #ask(text: string, values: unknown[]): Promise<readonly Row[]> {
    await (this.#created ??= this.#create().catch((thrown: unknown) => {
      this.#created = undefined;
      throw thrown;
    }));
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  async #create(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
      await client.query(CREATE);
      // A job that the original of a copied database has recorded is done there.
      await client.query(`delete from ${SCHEMA}.job where keeper <> $1`, [this.#keeper]);
      await client.query('commit');
    } finally {
      // A transaction that has failed goes with its connection.
      client.release(true);
    }
  }
}

/** Keeps a value that is nothing as nothing, and not as the JSON `null`. */
function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function recordOf({ keeper: _, result, progress, ...row }: Row): JobRecord {
  return {
    ...row,
    ...(result !== null && { result }),
    ...(progress !== null && { progress }),
  };
}

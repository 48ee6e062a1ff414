import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import {
  implementDistributedOperation,
  partitionSet,
  type DistributedOperationLogic,
  type Placement,
} from '../../src/distributed/index.js';
import { createPool } from '../../src/store/pool.js';
import { stamp, survey } from './operations.js';

/** The places, and the target that is spread over them. */
export const PLACES = ['north', 'south', 'west'];
export const TARGET = 'field';

const TABLES = `
  create table if not exists primaries (partition int primary key, place text not null);
  create table if not exists version (version int not null);
  create table if not exists stamped (
    instance text, place text, partition int, row int, times int not null, primary key (instance, place, partition, row)
  );
  create table if not exists surveyed (instance text, partition int, row int, times int not null, primary key (instance, partition, row));
  create table if not exists begun (instance text, partition int, place text, times int not null, primary key (instance, partition, place));
  create table if not exists completed (instance text primary key, times int not null)`;

/** How many rows a job does before it tells how far it is. */
const BATCH = 20;

/** The field that the jobs work on: tables of one PostgreSQL, in which each deed leaves a trace. */
export class Field {
  readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = createPool({ url, connections: 8, name: 'field' });
  }

  async create(partitions: number): Promise<void> {
    await this.pool.query(TABLES);
    await this.pool.query('insert into version values (1)');
    await this.pool.query(
      'insert into primaries select n, ($1::text[])[1 + n % 3] from generate_series(0, $2::int) n',
      [PLACES, partitions - 1],
    );
  }

  /** Moves the primaries of some partitions, as a failover does. */
  async move(partitions: readonly number[], to: string): Promise<void> {
    await this.pool.query(
      'with moved as (update primaries set place = $1 where partition = any ($2)) update version set version = version + 1',
      [to, partitions],
    );
  }

  async placement(): Promise<Placement> {
    const { rows } = await this.pool.query<{ version: number; partition: number; place: string }>(
      'select version, partition, place from version, primaries order by partition',
    );
    const at = (place: string) => partitionSet(rows.flatMap((row) => (row.place === place ? [row.partition] : [])));
    return {
      version: rows[0]!.version,
      partitions: rows.length,
      places: Object.fromEntries(PLACES.map((place) => [place, { primary: at(place) }])),
    };
  }

  /** The code of the operations. */
  get logics(): readonly DistributedOperationLogic[] {
    return [
      implementDistributedOperation(stamp, {
        job: async ({ partition, place }, { rows }, context) => {
          await this.#begun(context.instance, partition, place);
          for (let done = context.resumed?.done ?? 0; done < rows;) {
            const until = Math.min(done + BATCH, rows);
            await this.pool.query(
              `insert into stamped select $1, $2, $3, n, 1 from generate_series($4::int, $5::int) n
               on conflict (instance, place, partition, row) do update set times = stamped.times + 1`,
              [context.instance, place, partition, done, until - 1],
            );
            await delay(10);
            done = until;
            await context.progress({ done, total: rows });
            if (context.timeIsUp && done < rows) return context.goOn();
          }
          return context.complete();
        },
        cleanUp: async ({ partition, place }, _, instance) =>
          void (await this.pool.query('delete from stamped where instance = $1 and place = $2 and partition = $3', [
            ...[instance, place, partition],
          ])),
        complete: async (_target, argument, { instance, success }) => {
          await this.#completed(instance);
          if (success) return { starts: [{ type: 'survey', argument }] };
          // Anything made by jobs that had ended well is for the completion to undo.
          await this.pool.query('delete from stamped where instance = $1', [instance]);
          return undefined;
        },
      }),
      implementDistributedOperation(survey, {
        job: async ({ partition, place }, { rows }, context) => {
          await this.#begun(context.instance, partition, place);
          for (let done = context.resumed?.done ?? 0; done < rows;) {
            const until = Math.min(done + BATCH, rows);
            await this.pool.query(
              `insert into surveyed select $1, $2, n, 1 from generate_series($3::int, $4::int) n
               on conflict (instance, partition, row) do update set times = surveyed.times + 1`,
              [context.instance, partition, done, until - 1],
            );
            await delay(5);
            done = until;
            await context.progress({ done, total: rows });
          }
          return context.complete({ rows });
        },
        cleanUp: async () => undefined,
        complete: async (_target, _argument, { instance }) => this.#completed(instance),
      }),
    ];
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async #begun(instance: string, partition: number, place: string): Promise<void> {
    await this.pool.query(
      'insert into begun values ($1, $2, $3, 1) on conflict (instance, partition, place) do update set times = begun.times + 1',
      [instance, partition, place],
    );
  }

  async #completed(instance: string): Promise<void> {
    await this.pool.query(
      'insert into completed values ($1, 1) on conflict (instance) do update set times = completed.times + 1',
      [instance],
    );
  }
}

import { Kysely, PostgresDialect, sql } from 'kysely';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  allRows,
  PageQuery,
  parseQuery,
  type EntityModel,
  type Page,
  type PageOptions,
  type Rows,
} from '../../../src/service/odata/index.js';
import { ensurePostgres, removePostgres } from '../../../src/stack/postgres.js';
import type { Row } from './things.js';

type Tables = Record<string, object>;

/** A real PostgreSQL with the tables of `things.ts`. */
export class Database {
  private constructor(
    private readonly folder: string,
    readonly db: Kysely<Tables>,
  ) {}

  static async start(): Promise<Database> {
    const folder = await mkdtemp(join(tmpdir(), 'reeve-odata-'));
    const server = await ensurePostgres(folder);
    const pool = new pg.Pool({ connectionString: server.url(), max: 2 });
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    await sql`create table things (
      id bigint primary key, name text, outcome text, size bigint, ratio float8, flag boolean,
      started timestamptz, day date, ref uuid, properties jsonb
    )`.execute(db);
    await sql`create table parts (thing bigint, id bigint, name text, size bigint, primary key (thing, id))`.execute(
      db,
    );
    return new Database(folder, db);
  }

  async fill(table: 'things' | 'parts', rows: readonly Row[]): Promise<void> {
    await sql`truncate ${sql.table(table)}`.execute(this.db);
    await this.add(table, rows);
  }

  async add(table: 'things' | 'parts', rows: readonly Row[]): Promise<void> {
    const json = JSON.stringify(rows);
    await sql`insert into ${sql.table(table)}
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)`.execute(this.db);
  }

  /** One page, as a service would ask for it. */
  async page(
    model: EntityModel,
    options: Readonly<Record<string, string>>,
    limits: Omit<PageOptions, 'rows'> = { maxRows: 1_000, maxExpanded: 1_000 },
    rows: Rows = allRows,
  ): Promise<Page & { readonly count: number }> {
    const query = parseQuery(options, model);
    const page = new PageQuery(query, { ...limits, rows });
    const found = await page.select().execute(this.db);
    const counted = await page.count().execute(this.db);
    const count = counted.rows[0]?.count ?? 0;
    const all = page.all(found.rows) ?? count;
    if (all !== count) throw new Error(`The page has ${all} rows, and there are ${count}.`);
    return { ...page.page(found.rows), count };
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await removePostgres(this.folder);
  }
}

import pg from 'pg';
import { partitionTable, type Column } from '../values/table.js';
import { HostError } from './host-error.js';
import type { Instances } from './instances.js';

/** The part of a table that one database has. */
export interface TablePart {
  /** The key of the PartitionedTable. */
  readonly of: string;
  readonly database: string;
  readonly columns: readonly Column[];
  /** The column by whose hash rows are spread. It is the primary key. */
  readonly key: string;
  /** How many partitions the table has in all its databases, and which of them this one has. */
  readonly partitions: number;
  readonly first: number;
  readonly last: number;
}

/** PostgreSQL refuses what a user has written wrongly with one of these classes: a type or column that is not there, and the like. */
const WRONG = /^(22|42)/;
const OBJECT_EXISTS = '42P07';

/*
 * table-parts.1. A database takes only rows of its own partitions: PostgreSQL itself refuses the others.
 * table-parts.2. A part is there as a whole or not at all, and belongs to the owner of its database.
 * table-parts.3. A table that somebody else has made is neither taken nor removed: a comment says whose it is.
 */
export class TableParts {
  readonly #instances: Instances;

  constructor(instances: Instances) {
    this.#instances = instances;
  }

  /** @throws HostError `invalid_table`, `table_exists` */
  async put(application: string, table: string, part: TablePart): Promise<void> {
    const { database, partitions, first, last } = part;
    await this.#asOwner(application, database, async (client) => {
      // The same request may come again.
      if ((await ownerOf(client, table)) === part.of) return;
      const name = pg.escapeIdentifier(table);
      try {
        await client.query(
          `CREATE TABLE ${name} (${definitionOf(part)}) PARTITION BY HASH (${pg.escapeIdentifier(part.key)})`,
        );
        await client.query(`COMMENT ON TABLE ${name} IS ${pg.escapeLiteral(part.of)}`);
        for (let partition = first; partition <= last; partition++) {
          const child = pg.escapeIdentifier(partitionTable(table, partition));
          await client.query(
            `CREATE TABLE ${child} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${partition})`,
          );
        }
      } catch (thrown) {
        const { code = '', message } = thrown as pg.DatabaseError;
        if (code === OBJECT_EXISTS)
          throw new HostError(409, 'table_exists', `In '${database}' there is something of that name: ${message}.`);
        if (WRONG.test(code))
          throw new HostError(400, 'invalid_table', `PostgreSQL does not take the table: ${message}.`);
        throw thrown;
      }
    });
  }

  /** Removes a part if it is there. */
  async remove(
    application: string,
    table: string,
    { database, of }: Pick<TablePart, 'database' | 'of'>,
  ): Promise<void> {
    if (!(await this.#instances.has(application))) return;
    await this.#asOwner(application, database, async (client) => {
      if ((await ownerOf(client, table)) === of) await client.query(`DROP TABLE ${pg.escapeIdentifier(table)} CASCADE`);
    });
  }

  /** table-parts.2 */
  async #asOwner(application: string, database: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    await this.#instances.query(application, database, async (client) => {
      const { rows } = await client.query<{ owner: string }>(
        'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()',
      );
      await client.query('BEGIN');
      await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(rows[0]!.owner)}`);
      await work(client);
      await client.query('COMMIT');
    });
  }
}

/** table-parts.3: the key of the PartitionedTable to which a table belongs; nothing where there is no table, or it is somebody else's. */
async function ownerOf(client: pg.Client, table: string): Promise<string | null | undefined> {
  const { rows } = await client.query<{ of: string | null }>(
    `SELECT obj_description(to_regclass($1), 'pg_class') AS of`,
    [pg.escapeIdentifier(table)],
  );
  return rows[0]?.of;
}

function definitionOf({ columns, key }: TablePart): string {
  const lines = columns.map(({ name, type, notNull }) =>
    [pg.escapeIdentifier(name), type, ...(notNull ? ['NOT NULL'] : [])].join(' '),
  );
  return [...lines, `PRIMARY KEY (${pg.escapeIdentifier(key)})`].join(', ');
}

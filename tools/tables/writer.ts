import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostClient } from '../../activities/host/client.js';
import type { Credentials } from '../../activities/host/databases.js';
import type { Random } from '../../src/simulation/index.js';
import { plantedIds, TABLE } from './rows.js';

const PAUSE_MS = 200;

/** A client of the databases that writes all the time, through the gateway of their server. */
export class Writer {
  readonly #running: Promise<void>;
  #isOver = false;
  /** How many of its statements were done, and how many it had to give up. */
  written = 0;
  refused = 0;

  constructor(host: HostClient, server: string, databases: readonly string[], rows: number, random: Random) {
    this.#running = Promise.all(databases.map((database) => this.#write(host, server, database, rows, random))).then(
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #write(host: HostClient, server: string, database: string, rows: number, random: Random): Promise<void> {
    const planted = new Set(plantedIds(rows));
    while (!this.#isOver) {
      const client = await connect(host, server, database).catch(() => undefined);
      try {
        while (client && !this.#isOver) {
          const id = 1 + random.below(rows);
          if (planted.has(id)) continue;
          const values = [id, random.below(90), random.below(1_000)];
          await client.query(`UPDATE ${TABLE} SET quantity = $2, price = $3 WHERE id = $1`, values);
          this.written++;
          await delay(2);
        }
      } catch {
        // The database moves, or its gateway is away.
        this.refused++;
      }
      await client?.end().catch(() => undefined);
      await delay(PAUSE_MS);
    }
  }
}

async function connect(host: HostClient, server: string, database: string): Promise<pg.Client> {
  const { user, password } = await host.request<Credentials>('GET', ['administrators', server]);
  const address = await host.request<{ readonly host: string; readonly port: number }>('PUT', ['aliases', server]);
  const client = new pg.Client({ ...address, user, password, database, query_timeout: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

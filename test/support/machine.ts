import assert from 'node:assert/strict';
import { copyFile, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ResourceError } from '../../src/protocol/errors.js';
import { KeptProcess } from '../../src/stack/kept-process.js';
import { implementConditions } from '../../src/temporal/condition-provider.js';
import { implementResource, type ImplementedResource } from '../../src/temporal/resources.js';
import { files, processes, sql } from '../entities/machine.js';
import { until } from './until.js';

const STARTS_WITHIN_MS = 30_000;

/** A machine on which deployments really do something. Its processes end with the test, however that ends. */
export class Machine {
  readonly #home: string;
  readonly #processes = new Map<string, KeptProcess>();

  private constructor(home: string) {
    this.#home = home;
  }

  static async start(home: string): Promise<Machine> {
    for (const folder of ['log', 'run']) await mkdir(join(home, folder), { recursive: true });
    return new Machine(home);
  }

  /** Tells whether a process of this name runs. */
  async runs(name: string): Promise<boolean> {
    return (await this.#processes.get(name)?.pid()) !== undefined;
  }

  async stop(name: string): Promise<void> {
    const kept = this.#processes.get(name);
    this.#processes.delete(name);
    await kept?.stop();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.stop(name)));
  }

  get resources(): readonly ImplementedResource[] {
    return [
      implementConditions(),
      implementResource(files, {
        fetch: async ({ url, file }) => {
          const response = await fetch(url);
          if (!response.ok) throw new ResourceError('not_found', `${url} answers with ${response.status}.`);
          const content = Buffer.from(await response.arrayBuffer());
          await writeFile(file, content);
          return { bytes: content.length };
        },
        copy: async ({ from, to }) => {
          await withLock(to, () => copyFile(from, to));
          return {};
        },
      }),
      implementResource(processes, {
        start: async ({ name, command, args }) => {
          if (!this.#processes.has(name)) {
            const of = { name, home: this.#home, command, args, restart: false, stopSignal: 'SIGINT' } as const;
            this.#processes.set(name, await KeptProcess.start(of));
          }
          // It is known a moment after it was started: a ping before that would not find it.
          await until(async () => assert(await this.runs(name), `${name} does not start`), STARTS_WITHIN_MS);
          return {};
        },
        alive: async ({ name }) => this.runs(name),
        stop: async ({ name }) => {
          await this.stop(name);
          return {};
        },
      }),
      implementResource(sql, {
        run: async ({ url, statement }) => ({ rows: (await query(url, statement)).length }),
      }),
    ];
  }
}

/** Runs a statement and gives its rows. */
export async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Works on a file that nobody else uses meanwhile: whoever does has a file of its name with `.lock`. */
async function withLock(file: string, work: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  const held = await open(lock, 'wx').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'EEXIST') throw thrown;
    throw new ResourceError('locked', `Somebody uses ${file}.`);
  });
  try {
    await work();
  } finally {
    await held.close();
    await rm(lock);
  }
}

import { Client } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { createKey } from '../../src/secrecy/key-changes.js';
import { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { payloadSettingsFrom } from '../../src/secrecy/payload-settings.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { createDatabase, openStore } from '../../src/store/index.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { connect } from '../../src/temporal/connection.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { bundleSides } from './bundles.js';
import { rawSide } from './raw/side.js';
import { ReeveSide } from './reeve-side.js';
import type { Side } from './side.js';
import type { SideName } from './side-name.js';
import { usedBy } from './process-use.js';
import { BenchWorker } from './worker.js';

/** The parts that the bench measures on: a service, a store, and each side with its worker. */
export interface Rig {
  readonly raw: Side;
  readonly reeve: ReeveSide;
  /** The database of the store. */
  readonly databaseUrl: string;
  /**
   * A side with a task queue and a worker of its own. The worker has yet to be started, and keeps at most `maxCached` workflows in
   * memory. It is stopped with the rig.
   */
  apart(name: SideName, maxCached?: number): Side;
  /** As `apart`, of the side of Reeve. */
  reeveApart(maxCached?: number): ReeveSide;
  /** Tells what the Temporal service has used: CPU time since it began in milliseconds, and memory in bytes. Linux only. */
  service(): Promise<{ readonly cpuMs: number; readonly residentBytes: number }>;
  stop(): Promise<void>;
}

/**
 * Starts a rig in a folder of its own below the data directory. With `encrypted`, the payloads of Reeve's side are encrypted, and the other
 * side is Reeve as well, in the clear: what encryption costs is less than what a machine wavers between two runs.
 */
export async function startRig(report: (line: string) => void, encrypted = false): Promise<Rig> {
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'bench-'));
  const undo: (() => Promise<void>)[] = [() => rm(home, { recursive: true, force: true })];
  try {
    const stack = await startStack({ home, report });
    undo.push(() => stack.stop());
    const { address, namespace } = stack.temporal;
    const { databaseUrl } = stack;
    const connection = await connect({ address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, namespace);
    await prepareStore(databaseUrl);
    const client = new Client({ connection, namespace });
    const payloadKeys = encrypted ? await makeKeys(home) : undefined;
    const bundles = await bundleSides(home);
    const callbackKey = randomBytes(32).toString('base64');
    let queues = 0;
    const open = (side: SideName, maxCached?: number, keysFile?: string) => {
      const taskQueue = `${side}-${queues++}`;
      const setting = {
        side,
        address,
        namespace,
        taskQueue,
        bundle: bundles[side],
        databaseUrl,
        callbackKey,
        payloadKeys: keysFile,
      };
      const worker = new BenchWorker({ ...setting, ...(maxCached !== undefined && { maxCached }) });
      undo.push(() => worker.stop());
      return { taskQueue, worker };
    };
    const openRaw = (maxCached?: number) => {
      const { taskQueue, worker } = open('raw', maxCached);
      return rawSide(client, worker, taskQueue);
    };
    const reeveWith = (keysFile: string | undefined, prefix?: string) => {
      const own = temporalClient({ connection, namespace, payloads: payloadSettingsFrom({}, keysFile) });
      return (maxCached?: number) => {
        const { taskQueue, worker } = open('reeve', maxCached, keysFile);
        return new ReeveSide(own, worker, taskQueue, new CallbackKeys(callbackKey), prefix);
      };
    };
    const openReeve = reeveWith(payloadKeys);
    const openOther = encrypted ? reeveWith(undefined, 'clear-') : openRaw;
    const [raw, reeve] = [openOther(), openReeve()];
    await Promise.all([raw.worker.start(), reeve.worker.start()]);
    return {
      raw,
      reeve,
      databaseUrl,
      apart: (name, maxCached) => (name === 'raw' ? openOther : openReeve)(maxCached),
      reeveApart: openReeve,
      service: async () => usedBy((await stack.temporalProcess?.pid()) ?? NaN),
      stop: () => stopAll(undo),
    };
  } catch (thrown) {
    await stopAll(undo);
    throw thrown;
  }
}

/** The path of a file with one payload key. */
async function makeKeys(home: string): Promise<string> {
  const file = new PayloadKeyFile(join(home, 'payload-keys.json'));
  await file.write(createKey({ keys: [] }, new Date()).content);
  return file.path;
}

async function prepareStore(url: string): Promise<void> {
  await createDatabase(url);
  const store = openStore({ url, dimensions: [], warn: console.error });
  try {
    await store.migrate();
  } finally {
    await store.close();
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createApplication } from '../../src/service/application.js';
import { startService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { runningPid } from '../../src/stack/postgres.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { openVerifiedStore } from '../replay/verified-store.js';
import { Counter, verified } from '../replay/entities/definitions.js';
import { patiently } from '../replay/patience.js';
import { startRig, type Rig } from '../replay/rig.js';
import { entityId } from '../../src/protocol/names.js';
import { examine } from './examine.js';
import { Listeners } from './listeners.js';

export interface FeedTrial {
  readonly changes: number;
  readonly writers: number;
  readonly listeners: number;
  /** How often PostgreSQL is killed. */
  readonly kills: number;
  readonly chance: () => number;
  readonly report: (line: string) => void;
}

/** How many events a writer raises at once, and the longest time between two kills of a listener, in milliseconds. */
const AT_ONCE = 20;
const LONGEST_PEACE_MS = 600;
const WORKERS = 2;

/** Lets many write and many listen while listeners and PostgreSQL are killed. Gives what is wrong. A6 */
export async function feedUnderKills(trial: FeedTrial): Promise<readonly string[]> {
  const { changes, writers, kills, chance, report } = trial;
  const folder = await mkdtemp(join(tmpdir(), 'reeve-feed-'));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const rig = await startRig(chance, report);
    undo.push(() => rig.stop());
    const store = openVerifiedStore(rig.databaseUrl, () => undefined);
    undo.push(() => store.close());
    const application = createApplication({
      reeve: rig.reeve,
      modules: [{ name: 'verified', version: 1, entities: verified }],
      log: pino({ level: 'silent' }),
      store: serviceStore(store),
      settings: { rates: { caller: [1e6, 1e6], nobody: [1, 1] } },
    });
    const service = await startService(application, { port: 0 });
    undo.push(() => service.stop());
    const listeners = new Listeners(service.url, folder, trial.listeners);
    undo.push(() => listeners.close());
    for (let index = 0; index < WORKERS; index++) await rig.workers.start();

    let raised = 0;
    let over = false;
    const writing = Array.from({ length: writers }, async (_, index) => {
      const key = `c${index}`;
      await patiently(key, () => rig.reeve.create(Counter, key, 'open', { requestId: `open ${key}` }));
      while (raised < changes) {
        raised += AT_ONCE;
        const events = Array.from({ length: AT_ONCE }, (__, event) => `${key} ${raised} ${event}`);
        const add = (requestId: string) =>
          patiently(requestId, () => rig.reeve.raise(Counter, key, 'add', { requestId }));
        await Promise.all(events.map(add)).catch(async (thrown: unknown) => {
          report(`${key} does not answer: ${await lookAt(rig, key)}`);
          throw thrown;
        });
      }
    });
    const killing = (async () => {
      while (!over) {
        await delay(chance() * LONGEST_PEACE_MS);
        await listeners.kill(Math.floor(chance() * listeners.count));
      }
    })();
    const killingDatabase = (async () => {
      for (let kill = 1; kill <= kills; kill++) {
        while (raised < (changes * kill) / (kills + 1)) await delay(50);
        // It may still come up again after the kill before.
        let pid: number | undefined;
        while ((pid = await runningPid(join(rig.home, 'postgres'))) === undefined) await delay(50);
        process.kill(pid, 'SIGKILL');
        report(`PostgreSQL was killed after ${raised} events`);
      }
    })();
    const startedAt = Date.now();
    await Promise.all([...writing, killingDatabase]);
    report(`${raised} events in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`);
    const problems = await examine({ rig, store, listeners, writers });
    over = true;
    await killing;
    report(`${listeners.count} listeners were killed ${listeners.kills} times`);
    return problems;
  } finally {
    await stopAll(undo);
  }
}

/** How the workflow of a counter is, as far as Temporal knows: its task, and what fails there. */
async function lookAt({ client }: Rig, key: string): Promise<string> {
  const { raw, runId, historyLength } = await client.workflow
    .getHandle(entityId({ type: Counter.name, key }))
    .describe();
  return JSON.stringify({ runId, historyLength, task: raw.pendingWorkflowTask, activities: raw.pendingActivities });
}

import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { endInstances } from '../activities/host/end-instances.js';
import { readHostFile } from '../activities/host/host-file.js';
import type { UpContext } from '../src/project/index.js';
import { isAlive } from '../src/stack/processes.js';

const STARTS_WITHIN_MS = 60_000;
/** It stops each of its PostgreSQL instances, dozens of them on a busy machine. */
const STOPS_WITHIN_MS = 120_000;
export const HOST_NAME = 'resource-host';

/** Starts the resource host, and waits until it answers. */
export default async function up({ dataDirectory, keep }: UpContext): Promise<void> {
  const script = fileURLToPath(new URL('../activities/host/main.js', import.meta.url));
  // Those that an earlier stack has left behind, which was killed.
  const after = () => endInstances(dataDirectory);
  await after();
  const host = await keep(HOST_NAME, script, {}, { withinMs: STOPS_WITHIN_MS, after });
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const described = await readHostFile(dataDirectory);
    if (described && described.pid === (await host.pid()) && isAlive(described.pid)) return;
    if (Date.now() > until) throw new Error(`The resource host did not start. Its log is ${host.logFile}.`);
    await delay(50);
  }
}

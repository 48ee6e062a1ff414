import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { readHostFile } from '../activities/host/host-file.js';
import type { UpContext } from '../src/project/index.js';
import { isAlive } from '../src/stack/processes.js';

const STARTS_WITHIN_MS = 60_000;
export const HOST_NAME = 'resource-host';

/** Starts the resource host, and waits until it answers. */
export default async function up({ dataDirectory, keep }: UpContext): Promise<void> {
  const host = await keep(HOST_NAME, fileURLToPath(new URL('../activities/host/main.js', import.meta.url)));
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const described = await readHostFile(dataDirectory);
    if (described && described.pid === (await host.pid()) && isAlive(described.pid)) return;
    if (Date.now() > until) throw new Error(`The resource host did not start. Its log is ${host.logFile}.`);
    await delay(50);
  }
}

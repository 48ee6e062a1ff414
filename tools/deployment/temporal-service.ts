import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { KeptProcess } from '../../src/stack/kept-process.js';
import { choosePort, isAnswered } from '../../src/stack/ports.js';
import { prepareDataDirectory } from '../../src/stack/data-directory.js';
import { findTemporalExecutable } from '../../src/stack/temporal-executable.js';
import { askTemporal } from '../../src/stack/temporal-health.js';
import { REPORTING, STORAGE, TUNED } from '../../src/stack/temporal-server.js';

const STARTS_WITHIN_MS = 60_000;

/** A Temporal service of a verification: one that is not of a stack, as those of production are. */
export interface TemporalService {
  readonly address: string;
  readonly executable: string;
  stop(): Promise<void>;
}

/**
 * Starts a development service with its data in a folder.
 * @param host the address on which it listens
 */
export async function startTemporalService(
  home: string,
  settings: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  host = '127.0.0.1',
): Promise<TemporalService> {
  await prepareDataDirectory(home);
  const executable = await findTemporalExecutable({ report: (line) => console.error(line) });
  const port = await choosePort();
  const service = await KeptProcess.start({
    ...{ name: 'temporal', home, command: executable, env },
    args: [
      ...['server', 'start-dev', '--ip', host, '--port', String(port), '--headless', '--log-level', 'warn'],
      ...['--db-filename', join(home, 'temporal', 'temporal.db'), '--namespace', 'default'],
      ...[...STORAGE, ...TUNED, ...REPORTING, ...settings.flatMap((setting) => ['--dynamic-config-value', setting])],
    ],
  });
  const address = `127.0.0.1:${port}`;
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    if (await isAnswered(port)) {
      const answers = await askTemporal({ connectionOptions: { address }, namespace: 'default' }).then(
        () => true,
        () => false,
      );
      if (answers) return { address, executable, stop: () => service.stop() };
    }
    if (Date.now() > until) {
      await service.stop();
      throw new Error(`Temporal did not start. Its log is ${service.logFile}.`);
    }
    await delay(100);
  }
}

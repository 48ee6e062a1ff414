import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KeptProcess } from '../../src/stack/kept-process.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { createDatabase } from '../../src/store/index.js';
import { startTemporalService } from './temporal-service.js';

/** The one place that names the programs: see docs/operate/deploy.md. */
export const ENTRY = fileURLToPath(new URL('../../../infra/container/entry.mjs', import.meta.url));

/** The surroundings that workers and services need: a Temporal service, a PostgreSQL, and the resource host, started from outside. */
export interface Surroundings {
  readonly home: string;
  readonly temporal: string;
  readonly databaseUrl: string;
  /** The variables that a program needs to find them. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a program, which is started again when it ends by itself. By default it has the variables above. */
  keep(name: string, program: string, env?: Readonly<Record<string, string>>): Promise<KeptProcess>;
  stop(): Promise<void>;
}

/** Starts what is around workers and services, each as a process of its own. */
export async function startSurroundings(home: string, report: (line: string) => void): Promise<Surroundings> {
  const undo: (() => Promise<void>)[] = [];
  try {
    const temporal = await startTemporalService(home);
    undo.push(() => temporal.stop());
    const stack = await startStack({ home, env: { ...process.env, TEMPORAL_ADDRESS: temporal.address }, report });
    undo.push(() => stack.stop());
    const { databaseUrl } = stack;
    await createDatabase(databaseUrl);
    const env = { REEVE_DATA_DIR: home, TEMPORAL_ADDRESS: temporal.address, DATABASE_URL: databaseUrl };
    const keepCommand = async (name: string, args: readonly string[], its: Readonly<Record<string, string>> = env) => {
      const kept = await KeptProcess.start({
        name,
        home,
        command: process.execPath,
        args: [...args],
        env: its,
      });
      undo.push(() => kept.stop());
      return kept;
    };
    await keepCommand('resource-host', [fileURLToPath(new URL('../../activities/host/main.js', import.meta.url))]);
    return {
      ...{ home, temporal: temporal.address, databaseUrl, env },
      keep: (name, program, its) => keepCommand(name, [ENTRY, program], its),
      stop: () => stopAll(undo),
    };
  } catch (thrown) {
    await stopAll(undo);
    throw thrown;
  }
}

/** The file into which the resource host puts how it is reached. */
export function hostFileOf(home: string): string {
  return join(home, 'resources', 'host.json');
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { portFrom } from '../service/environment.js';
import { writeFileAtomically } from '../stack/files.js';
import { choosePort, isFree } from '../stack/ports.js';

const SERVICE_PORT = 8_234;

/**
 * The port on which the management service is to listen: the one that the environment names, or else the one that it last had on
 * this data directory, or the default one. These two may move where they are taken.
 * @throws when the named one is taken
 */
export async function wantedPort(env: NodeJS.ProcessEnv, home: string): Promise<number> {
  const named = portFrom(env);
  if (named === undefined) return (await lastPort(home)) ?? SERVICE_PORT;
  if (named === 0) return choosePort();
  if (await isFree(named)) return named;
  throw new Error(
    `REEVE_API_PORT is ${named}, and another program listens on that port. End it, or set another port. Without ` +
      `REEVE_API_PORT, a free one is chosen.`,
  );
}

/** Notes on which port the service listens, for the next start. */
export async function notePort(home: string, port: number): Promise<void> {
  if ((await lastPort(home)) !== port) await writeFileAtomically(portFile(home), `${port}\n`);
}

async function lastPort(home: string): Promise<number | undefined> {
  return Number(await readFile(portFile(home), 'utf8').catch(() => '')) || undefined;
}

function portFile(home: string): string {
  return join(home, 'api-port');
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/stack/cache.js';
import { awaitLock } from '../../src/stack/lock.js';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../infra/schemathesis/', import.meta.url));
const REQUIREMENTS = join(FOLDER, 'requirements.txt');

/** The configuration of Schemathesis. The file says what is asked, and how. */
export const CONFIGURATION = join(FOLDER, 'schemathesis.toml');

/**
 * The path of the `schemathesis` command in the version that `infra/schemathesis` pins. It has a Python environment of its own in
 * the user's cache, which is made when it is not there yet.
 * @throws an error that says what to do, when there is no Python or something cannot be installed
 */
export async function installSchemathesis(report: (line: string) => void): Promise<string> {
  const pinned = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(), 'schemathesis', pinned);
  const complete = join(folder, 'complete');
  const lock = await awaitLock(`${folder}.lock`, (holder) =>
    report(`process ${holder} is installing Schemathesis: waiting for it`),
  );
  try {
    if (!existsSync(complete)) {
      report('installing Schemathesis into the cache, which is done only once');
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await makeEnvironment(folder);
      await writeFile(complete, '');
    }
  } finally {
    await lock.release();
  }
  return join(folder, 'bin', 'schemathesis');
}

async function makeEnvironment(folder: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder]).catch((thrown: unknown) => {
    throw new Error(
      `Schemathesis needs Python 3.10 or newer as the command 'python3', with its module venv. Install that. It said: ${saidBy(thrown)}`,
    );
  });
  const pip = join(folder, 'bin', 'pip');
  await run(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]).catch((thrown: unknown) => {
    throw new Error(`Schemathesis cannot be installed: ${saidBy(thrown)}`);
  });
}

function saidBy(thrown: unknown): string {
  const { stderr = '', message = '' } = thrown as { readonly stderr?: string; readonly message?: string };
  return stderr.trim() || message;
}

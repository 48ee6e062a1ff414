import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFileAtomically } from './files.js';
import { identify, isRunning, type ProcessIdentity } from './processes.js';

/** Gives a lock back. */
export type Release = () => Promise<void>;

/** The result of an attempt: either the lock is ours, or the process `holder` has it. */
export type LockAttempt = { readonly release: Release } | { readonly holder: number };

/**
 * Tries to take a lock, which is a folder. Each process that wants it first puts a file of its own there, and then looks for the
 * files of others. Of two processes, at least one sees the other, so there are never two holders. Two that try at the very same
 * moment may both be refused. A file of a process that is gone does not count and is removed.
 */
export async function tryLock(folder: string): Promise<LockAttempt> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = randomUUID();
  await writeFileAtomically(join(folder, own), JSON.stringify(await identify(process.pid)));
  const release = () => rm(join(folder, own), { force: true });
  for (const name of await readdir(folder)) {
    if (name === own || name.endsWith('.tmp')) continue;
    const other = await read(join(folder, name));
    if (other && (await isRunning(other))) {
      await release();
      return { holder: other.pid };
    }
    await rm(join(folder, name), { force: true });
  }
  return { release };
}

/** Takes a lock. Waits for as long as another process has it, and calls `onWait` once with that process. */
export async function awaitLock(
  folder: string,
  onWait: (holder: number) => void,
): Promise<{ readonly release: Release; readonly waited: boolean }> {
  for (let waited = false; ; waited = true) {
    const attempt = await tryLock(folder);
    if ('release' in attempt) return { release: attempt.release, waited };
    if (!waited) onWait(attempt.holder);
    // The pause differs each time, so that two processes do not refuse each other for ever.
    await delay(100 + Math.random() * 300);
  }
}

/**
 * Takes the lock of a data directory, since one stack at a time works on it. The lock of a process that is gone is taken over.
 * @throws when another stack holds it; the message names its process
 */
export async function takeLock(home: string): Promise<Release> {
  const attempt = await tryLock(lockFolder(home));
  if ('release' in attempt) return attempt.release;
  const { holder } = attempt;
  throw new Error(
    `Another stack uses ${home}: process ${holder}. Stop it (Ctrl-C there, or 'kill ${holder}'), or set REEVE_DATA_DIR to another directory.`,
  );
}

/** The process that holds the lock of a data directory, or `undefined`. It changes nothing. */
export async function lockHolder(home: string): Promise<number | undefined> {
  const folder = lockFolder(home);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => !candidate.endsWith('.tmp'))) {
    const other = await read(join(folder, name));
    if (other && (await isRunning(other))) return other.pid;
  }
  return undefined;
}

function lockFolder(home: string): string {
  return join(home, 'run', 'lock');
}

/** Reads the file of a process; `undefined` when it was removed in this moment. */
async function read(path: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as ProcessIdentity);
}

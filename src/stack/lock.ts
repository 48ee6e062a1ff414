import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './processes.js';

/**
 * Takes the lock of a data folder: one stack at a time works on it. The lock of a process that is gone is taken over.
 * @returns a function that gives the lock back
 * @throws when another stack holds it, naming its process
 */
export async function takeLock(home: string): Promise<() => Promise<void>> {
  const path = join(home, 'lock');
  for (;;) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
    const pid = Number(await readFile(path, 'utf8').catch(() => ''));
    if (pid && pid !== process.pid && isAlive(pid)) {
      throw new Error(
        `Another stack works on ${home}: process ${pid}. Stop it (Ctrl-C there, or 'kill ${pid}'), or set REEVE_HOME to another folder.`,
      );
    }
    await rm(path, { force: true });
  }
}

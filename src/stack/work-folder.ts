import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * An empty folder beside the target, so that what is made in it can take the target's place in one step. It is removed
 * when the work ends; what work that was killed has left goes before. Only for whoever holds the lock on that place.
 */
export async function withWorkFolder(target: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(dirname(target), 'work');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

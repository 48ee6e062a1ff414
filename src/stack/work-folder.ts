import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Gives the work an empty folder beside the target, so that its result can take the target's place in one step. The folder is
 * removed when the work ends. What earlier work has left there when it was killed is removed first, so the caller must hold the
 * lock on that place.
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

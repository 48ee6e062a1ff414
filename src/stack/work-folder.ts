import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A folder beside the target, so that what is made in it can take the target's place in one step. It is removed when
 * the work ends.
 */
export async function withWorkFolder(target: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(dirname(target), 'work-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

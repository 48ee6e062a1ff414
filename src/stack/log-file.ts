import { copyFile, stat, truncate } from 'node:fs/promises';

/**
 * Puts a log aside, to `<log>.1`, when it has grown beyond a size, and begins it anew. Whoever writes it has opened it to append, and
 * goes on in the same file. What is written between both steps is lost.
 */
export async function rotateLog(path: string, most: number): Promise<void> {
  if ((await stat(path)).size <= most) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

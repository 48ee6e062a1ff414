import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'node_modules/.cache/reeve-bundles';
/** All that can be part of a bundle. */
const SOURCES = ['src', 'workflows', 'activities', 'test', 'package-lock.json'];

/** Gives the folder of the bundles for the sources as they are, and removes those of sources that have changed. */
export function bundlesOfSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const files = source.includes('.') ? [''] : (readdirSync(source, { recursive: true }) as string[]).sort();
    for (const file of files.filter((name) => name === '' || /\.[jt]s$/.test(name))) {
      hash.update(`${file}\0`).update(readFileSync(join(source, file)));
    }
  }
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16));
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(FOLDER)) {
    if (join(FOLDER, other) !== folder) rmSync(join(FOLDER, other), { recursive: true, force: true });
  }
  return folder;
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const described = z.object({ name: z.string(), version: z.string(), engines: z.object({ node: z.string() }) });

/** What Reeve's own package says of itself: its version, and the versions of Node that it runs on. */
export function ownPackage(): z.output<typeof described> {
  // Its distance differs between the sources and the build.
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = read(join(folder, 'package.json'));
    if (found) return found;
    if (folder === dirname(folder)) throw new Error('The package.json of Reeve is missing. Install it anew.');
  }
}

function read(file: string): z.output<typeof described> | undefined {
  try {
    return described.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

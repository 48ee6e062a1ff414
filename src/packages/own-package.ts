import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const described = z.object({
  name: z.string(),
  version: z.string(),
  engines: z.object({ node: z.string() }),
  // An image names no package that could still be installed.
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/** The facts in Reeve's own package.json: its version, and those of Node and of the packages that projects install beside it. */
export function ownPackage(): z.output<typeof described> {
  // The package.json is at another distance from the sources than from the build.
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = read(join(folder, 'package.json'));
    if (found) return found;
    if (folder === dirname(folder)) throw new Error('The package.json of Reeve is missing. Install Reeve again.');
  }
}

function read(file: string): z.output<typeof described> | undefined {
  try {
    return described.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The members that are read of Reeve's own package.json. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The facts in Reeve's own package.json: its version, and those of Node and of the packages that projects install beside it. */
export function ownPackage(): OwnPackage {
  // The package.json is at another distance from the sources than from the build.
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = read(join(folder, 'package.json'));
    if (found) return found;
    if (folder === dirname(folder)) throw new Error('The package.json of Reeve is missing. Install Reeve again.');
  }
}

function read(file: string): OwnPackage | undefined {
  try {
    const { name, version, engines, peerDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Partial<OwnPackage>;
    if (name === undefined || version === undefined || engines === undefined) return undefined;
    // An image names no package that could still be installed.
    return { name, version, engines, peerDependencies: peerDependencies ?? {} };
  } catch {
    return undefined;
  }
}

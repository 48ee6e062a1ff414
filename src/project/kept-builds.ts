import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildOf } from '../temporal/worker-version.js';

/** The absolute path of the workflow code that a worker serves, where it is not that of the project as it is now. */
export const BUNDLE_VARIABLE = 'REEVE_BUNDLE';

/**
 * The workflow code of each build that has run on a data directory. A run goes on with the code that has begun it, so a later start needs
 * that code too. Q2
 */
export class KeptBuilds {
  readonly #folder: string;

  /** @param home the data directory, absolute */
  constructor(home: string) {
    this.#folder = join(home, 'builds');
  }

  /** Keeps a copy of this workflow code. @returns the name of its build */
  async keep(bundle: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const build = await buildOf({ codePath: bundle });
    if (this.find(build) !== undefined) return build;
    // A half copy must never count as the code of this name.
    const half = `${this.#pathOf(build)}.part`;
    await copyFile(bundle, half);
    await rename(half, this.#pathOf(build));
    return build;
  }

  /** The absolute path of the code of a build, where it was kept. */
  find(build: string): string | undefined {
    const path = this.#pathOf(build);
    return existsSync(path) ? path : undefined;
  }

  async forget(build: string): Promise<void> {
    await rm(this.#pathOf(build), { force: true });
  }

  #pathOf(build: string): string {
    return join(this.#folder, `${build}.js`);
  }
}

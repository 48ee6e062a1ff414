import { ResourceError, type ResourceImplementation } from 'reeve/worker';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { pages } from './contract.js';

/** The folder with the pages: SITES_FOLDER, or `sites` in the current folder. */
function folder(): string {
  return resolve(process.env['SITES_FOLDER'] || 'sites');
}

/** Keeps pages as files. Each call may be repeated: it leaves the same behind then. */
export const pageProvider: ResourceImplementation<typeof pages> = {
  async publish({ name, text }, { idempotencyKey }) {
    if (text.includes('<script')) throw new ResourceError('script_refused', 'A page has no scripts.');
    await mkdir(folder(), { recursive: true });
    const file = join(folder(), `${name}.html`);
    // Anyone who reads meanwhile sees the old page or the new one.
    const temporary = `${file}.${idempotencyKey.replaceAll(/\W/g, '_')}`;
    await writeFile(temporary, text);
    await rename(temporary, file);
    return { file };
  },
  async remove({ name }) {
    await rm(join(folder(), `${name}.html`), { force: true });
    return {};
  },
};

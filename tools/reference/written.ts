import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { COMMAND, MADE_BY, type Page } from './page.js';

export const FOLDER = 'docs/reference';
/** The formatted text of each page by the hash of what it was made from: to format all takes seconds. */
const KEPT = 'node_modules/.cache/checks/reference.json';

/** The text of each page as it is written, by its path from the root of the repository. */
export async function formatted(pages: readonly Page[]): Promise<ReadonlyMap<string, string>> {
  const kept = await readKept();
  const config = await resolveConfig(join(FOLDER, 'index.md'));
  const used: Record<string, string> = {};
  const all = new Map<string, string>();
  for (const { path, text } of pages) {
    const file = join(FOLDER, path);
    const hash = createHash('sha256').update(text).digest('hex');
    used[hash] = kept[hash] ?? (await format(text, { ...config, filepath: file }));
    all.set(file, used[hash]);
  }
  await mkdir(dirname(KEPT), { recursive: true });
  await writeFile(KEPT, JSON.stringify(used));
  return all;
}

async function readKept(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(KEPT, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, string>;
}

/** Writes the pages, and removes those that the code gives no more. */
export async function write(pages: ReadonlyMap<string, string>): Promise<void> {
  for (const file of await foundPages()) if (!pages.has(file)) await rm(file);
  for (const [file, text] of pages) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Each page that is missing, left over, or not what the code gives, with the command that mends it. */
export async function differences(pages: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const found = await foundPages();
  const wrong = await Promise.all(
    [...new Set([...pages.keys(), ...found])].map(async (file) => {
      const written = await readFile(file, 'utf8').catch(() => undefined);
      if (written === pages.get(file)) return [];
      const problem =
        written === undefined ? 'is missing' : pages.has(file) ? 'is not what the code gives' : 'is left over';
      return [`${file} ${problem}: run '${COMMAND}'.`];
    }),
  );
  return wrong.flat();
}

/** The pages in the folder that were made by this command. Others may stand beside them. */
async function foundPages(): Promise<readonly string[]> {
  const names = await readdir(FOLDER, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.md')).map((name) => join(FOLDER, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, index) => texts[index]!.includes(MADE_BY));
}

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { COMMAND, MADE_BY, type Page } from './page.js';

export const FOLDER = 'docs/reference';

/** Writes the pages, and removes those that the code gives no more. */
export async function write(pages: readonly Page[]): Promise<void> {
  const given = new Set(pages.map(fileOf));
  for (const file of await foundPages()) if (!given.has(file)) await rm(file);
  for (const page of pages) {
    const file = fileOf(page);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await formatted(file, page.text));
  }
}

/** Each page that is missing, left over, or not what the code gives, with the command that mends it. */
export async function differences(pages: readonly Page[]): Promise<readonly string[]> {
  const texts = new Map(pages.map((page) => [fileOf(page), page.text]));
  const wrong = await Promise.all(
    [...new Set([...texts.keys(), ...(await foundPages())])].map(async (file) => {
      const [text, written] = [texts.get(file), await readFile(file, 'utf8').catch(() => undefined)];
      if (text !== undefined && written !== undefined) {
        // To format all pages takes ten seconds, so those are not formatted that differ in nothing but their form.
        if (unformatted(text) === unformatted(written)) return [];
        if ((await formatted(file, text)) === written) return [];
      }
      const problem = written === undefined ? 'is missing' : text ? 'is not what the code gives' : 'is left over';
      return [`${file} ${problem}: run '${COMMAND}'.`];
    }),
  );
  return wrong.flat();
}

/** The text as it is written: no line of prose is longer than the page is wide. */
async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file, proseWrap: 'always' });
}

/** A text without what formatting adds and takes away: spaces, lines of tables, quotes, commas, brackets and semicolons of code. */
function unformatted(text: string): string {
  return text.replaceAll(/[\s'",;()|\\]+|-{3,}/g, '');
}

function fileOf({ path }: Pick<Page, 'path'>): string {
  return join(FOLDER, path);
}

/** The pages in the folder that were made by this command. Others may stand beside them. */
async function foundPages(): Promise<readonly string[]> {
  const names = await readdir(FOLDER, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.md')).map((name) => join(FOLDER, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, index) => texts[index]!.includes(MADE_BY));
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The needles that a file holds, as they are or in base64. */
export interface Found {
  readonly file: string;
  readonly needles: readonly string[];
}

/** Looks for needles in all files below a folder, byte by byte: whatever a database has ever written there and not overwritten. */
export async function scan(folder: string, needles: readonly string[]): Promise<readonly Found[]> {
  const forms = needles.map((needle) => [needle, formsOf(needle)] as const);
  const found: Found[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const here = forms.filter(([, each]) => each.some((form) => bytes.includes(form))).map(([needle]) => needle);
    if (here.length > 0) found.push({ file: relative(folder, path), needles: here });
  }
  return found;
}

/** A text stands in base64 in one of three ways, by the place at which it begins. */
function formsOf(needle: string): readonly Buffer[] {
  const encoded = [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + needle).toString('base64');
    // The characters at the ends depend on what stands around.
    return Buffer.from(text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -2));
  });
  return [Buffer.from(needle), ...encoded];
}

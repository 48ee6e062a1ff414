import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlantedBug } from './planted-bug.js';

/**
 * Makes a copy of the compiled code with the bug in it, and gives its folder. The folder lies in `node_modules`, so that the copy
 * finds the packages that it needs.
 * @throws Error when the text to replace does not occur exactly once
 */
export async function plant(bug: PlantedBug, root: string): Promise<string> {
  const folder = join(root, 'node_modules', '.planted', bug.name.replaceAll(' ', '-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await cp(join(root, 'dist'), folder, { recursive: true, filter: (path) => !/\.(map|d\.ts|tsbuildinfo)$/.test(path) });
  const file = join(folder, 'src', bug.file);
  const text = await readFile(file, 'utf8');
  const count = text.split(bug.find).length - 1;
  if (count !== 1) {
    throw new Error(
      `The bug '${bug.name}' cannot be planted: '${bug.find}' is ${count} times in ${bug.file}. Adapt it to the code.`,
    );
  }
  await writeFile(
    file,
    text.replace(bug.find, () => bug.replace),
  );
  return folder;
}

import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './usage-error.js';

/** The module that exports the project's declarations: `"reeve": { "definitions": "dist/workflows/definitions.js" }`. */
export function findDefinitions(folder: string): Promise<string> {
  return findFile(folder, 'definitions');
}

/** The bundle of the project's workflow code: `"reeve": { "bundle": "dist/workflow-bundle.js" }`. */
export function findBundle(folder = process.cwd()): Promise<string> {
  return findFile(folder, 'bundle');
}

/** The module that starts the project's control plane: `"reeve": { "controlPlane": "dist/workers/control-plane.js" }`. */
export function findControlPlane(folder = process.cwd()): Promise<string> {
  return findFile(folder, 'controlPlane');
}

/** A file that the nearest package.json names under `reeve`. */
async function findFile(from: string, name: 'definitions' | 'bundle' | 'controlPlane'): Promise<string> {
  const start = resolve(from);
  for (let folder = start; ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const described = text === undefined ? undefined : (JSON.parse(text) as { reeve?: Record<string, unknown> });
    const path = described?.reeve?.[name];
    if (typeof path === 'string') return join(folder, path);
    if (folder === dirname(folder)) break;
  }
  throw new UsageError(
    `No package.json from ${start} upwards names the file of the ${name}. Add "reeve": { "${name}": "<file>" }.`,
  );
}

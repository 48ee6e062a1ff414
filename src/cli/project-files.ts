import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './usage-error.js';

/** The module that exports the project's declarations: `"reeve": { "definitions": "dist/workflows/definitions.js" }`. */
export function findDefinitions(folder: string): Promise<string> {
  return findFile(folder, 'definitions');
}

/** The module that exports the components which the project deploys, or its types of distributed operations, if it names one. W1, I8 */
export async function findModule(folder: string, name: 'components' | 'distributed'): Promise<string | undefined> {
  const found = await projectSetting(folder, name);
  return found && join(found.folder, found.value);
}

/** Whether the project has components to deploy or distributed operations, and no entities. */
export async function hasNoEntities(folder: string): Promise<boolean> {
  if ((await projectSetting(folder, 'definitions')) !== undefined) return false;
  return (
    (await findModule(folder, 'components')) !== undefined || (await findModule(folder, 'distributed')) !== undefined
  );
}

/** The bundle of the project's workflow code: `"reeve": { "bundle": "dist/workflow-bundle.js" }`. */
export function findBundle(folder = process.cwd()): Promise<string> {
  return findFile(folder, 'bundle');
}

/** The module that starts the project's control plane: `"reeve": { "controlPlane": "dist/workers/control-plane.js" }`. */
export async function findControlPlane(folder = process.cwd()): Promise<string> {
  const found = await projectSetting(folder, 'controlPlane');
  if (found) return join(found.folder, found.value);
  throw new UsageError(
    `No package.json from ${resolve(folder)} upwards names a control plane, so there is nothing for 'reeve up' to start. ` +
      `Start Temporal by 'temporal server start-dev', set TEMPORAL_ADDRESS=127.0.0.1:7233, and run your own worker. ` +
      `Or add "reeve": { "controlPlane": "<file>" }, a module that exports startControlPlane(home, report).`,
  );
}

/** The setting under `reeve` in the nearest package.json that has one, with its folder. */
export async function projectSetting(
  from: string,
  name: string,
): Promise<{ readonly folder: string; readonly value: string } | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const { reeve } = text === undefined ? {} : (JSON.parse(text) as { readonly reeve?: Record<string, unknown> });
    const value = reeve?.[name];
    if (typeof value === 'string') return { folder, value };
    if (reeve || folder === dirname(folder)) return undefined;
  }
}

async function findFile(from: string, name: 'definitions' | 'bundle'): Promise<string> {
  const found = await projectSetting(from, name);
  if (found) return join(found.folder, found.value);
  throw new UsageError(
    `No package.json from ${resolve(from)} upwards names the file of the ${name}. Add "reeve": { "${name}": "<file>" }.`,
  );
}

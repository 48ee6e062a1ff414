import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyEntity } from '../definition/entity.js';

/** A mistake in how the command was called, or in the project around it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The declarations of the project in which the command is called: its package.json names the module that exports them,
 * singly or in lists: `"reeve": { "definitions": "dist/workflows/definitions.js" }`.
 */
export async function loadDefinitions(folder = process.cwd()): Promise<readonly AnyEntity[]> {
  const file = await findFile(folder, 'definitions');
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown;
    throw new UsageError(
      `${file} cannot be loaded: ${(thrown as Error).message}. Build the project first: npm run build.`,
    );
  }
  const entities = Object.values(exported).flat().filter(isEntity);
  if (entities.length === 0) throw new UsageError(`${file} exports no declaration. Export what defineEntity returns.`);
  return entities;
}

/** The declaration of a type. @throws UsageError when the project has none of that name */
export async function findDeclaration(type: string): Promise<AnyEntity> {
  const entities = await loadDefinitions();
  const entity = entities.find(({ name }) => name === type);
  if (entity) return entity;
  const known = entities.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no entity type '${type}'. There are: ${known}.`);
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

function isEntity(value: unknown): value is AnyEntity {
  return typeof value === 'object' && value !== null && 'states' in value && 'actions' in value && 'name' in value;
}

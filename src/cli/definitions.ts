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
  const { path, root } = await findModule(resolve(folder));
  const file = join(root, path);
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

async function findModule(from: string): Promise<{ readonly path: string; readonly root: string }> {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const described = text === undefined ? undefined : (JSON.parse(text) as { reeve?: { definitions?: unknown } });
    const path = described?.reeve?.definitions;
    if (typeof path === 'string') return { path, root: folder };
    if (folder === dirname(folder)) break;
  }
  throw new UsageError(
    `No package.json from ${from} upwards says where the declarations are. Add "reeve": { "definitions": "<module>" }.`,
  );
}

function isEntity(value: unknown): value is AnyEntity {
  return typeof value === 'object' && value !== null && 'states' in value && 'actions' in value && 'name' in value;
}

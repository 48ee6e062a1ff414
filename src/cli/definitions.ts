import { pathToFileURL } from 'node:url';
import type { AnyComponent } from '../components/index.js';
import type { AnyDistributedOperation } from '../distributed/index.js';
import type { AnyEntity } from '../definition/entity.js';
import type { Resource } from '../definition/resource.js';
import type { EntityModule } from '../service/module.js';
import { findDefinitions, findModule, hasNoEntities } from './project-files.js';
import { UsageError } from './usage-error.js';

/**
 * The declarations of the project in which the command is called: its package.json names the module that exports them,
 * singly or in lists: `"reeve": { "definitions": "dist/workflows/definitions.js" }`.
 */
export async function loadDefinitions(folder = process.cwd()): Promise<readonly AnyEntity[]> {
  return exportsOf(await findDefinitions(folder), isEntity, 'declaration. Export what defineEntity returns.');
}

/**
 * The modules in which the management service serves the declarations: the modules that the same file exports, like `{ name:
 * 'control-plane', version: 1, entities }`. Without any, all declarations are one module.
 * A project that only deploys components has none.
 */
export async function loadModules(folder = process.cwd()): Promise<readonly EntityModule[]> {
  if (await hasNoEntities(folder)) return [];
  const entities = await loadDefinitions(folder);
  const modules = Object.values(await importFile(await findDefinitions(folder))).filter(isModule);
  return modules.length > 0 ? modules : [{ name: 'entities', version: 1, entities }];
}

/**
 * The components that the project deploys on their own: its package.json names the module that exports them, singly or in lists:
 * `"reeve": { "components": "dist/workflows/components.js" }`. Without that there are none. W1
 */
export async function loadComponents(folder = process.cwd()): Promise<readonly AnyComponent[]> {
  const file = await findModule(folder, 'components');
  return file === undefined ? [] : exportsOf(file, isComponent, 'component. Export what component() returns.');
}

/**
 * The types of operations over partitions: the project's package.json names the module that exports them, singly or in lists:
 * `"reeve": { "distributed": "dist/workflows/distributed.js" }`. Without that there are none. I8
 */
export async function loadDistributed(folder = process.cwd()): Promise<readonly AnyDistributedOperation[]> {
  const file = await findModule(folder, 'distributed');
  if (file === undefined) return [];
  return exportsOf(file, isDistributedOperation, 'operation. Export what defineDistributedOperation() returns.');
}

/** The resources whose calls are answered from outside, as the modules of the project name them. */
export async function loadResources(folder = process.cwd()): Promise<readonly Resource[]> {
  return (await loadModules(folder)).flatMap(({ resources = [] }) => resources);
}

/** What a module exports of a kind, singly or in lists, each once. @throws UsageError when there is none */
async function exportsOf<T>(
  file: string,
  isOne: (value: unknown) => value is T,
  missing: string,
): Promise<readonly T[]> {
  const found = Object.values(await importFile(file))
    .flat()
    .filter(isOne);
  if (found.length > 0) return [...new Set(found)];
  throw new UsageError(`${file} exports no ${missing}`);
}

async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown;
    throw new UsageError(
      `${file} cannot be loaded: ${(thrown as Error).message}. Build the project first: npm run build.`,
    );
  }
}

/** The declaration of a type. @throws UsageError when the project has none of that name */
export async function findDeclaration(type: string): Promise<AnyEntity> {
  const entities = await loadDefinitions();
  const entity = entities.find(({ name }) => name === type);
  if (entity) return entity;
  const known = entities.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no entity type '${type}'. There are: ${known}.`);
}

function isEntity(value: unknown): value is AnyEntity {
  return typeof value === 'object' && value !== null && 'states' in value && 'actions' in value && 'name' in value;
}

function isComponent(value: unknown): value is AnyComponent {
  return typeof value === 'function' && 'kind' in value && 'handlers' in value;
}

function isDistributedOperation(value: unknown): value is AnyDistributedOperation {
  return typeof value === 'object' && value !== null && 'canFail' in value && 'argument' in value && 'type' in value;
}

function isModule(value: unknown): value is EntityModule {
  return typeof value === 'object' && value !== null && 'entities' in value && 'version' in value && 'name' in value;
}

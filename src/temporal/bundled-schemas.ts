import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { schemaOutlines } from '../definition/schema-outline.js';

type Exports = Readonly<Record<string, unknown>>;

/**
 * Compares the schemas that a bundle declares with those that its modules declare in this process. A module that this process
 * cannot load, such as one in TypeScript on a Node that does not read it, is not compared.
 * @returns the place of each schema that is another one in the bundle: `Diary: properties.size`
 */
export async function schemasApart(code: string, modules: readonly string[]): Promise<readonly string[]> {
  const loaded = await Promise.all(modules.map(load));
  const declared = outlinesOf(loaded.filter((each) => each !== undefined));
  if (declared.size === 0) return [];
  const bundled = outlinesOf(bundledModules(code));
  return [...declared].flatMap(([name, outlines]) => {
    const inBundle = bundled.get(name);
    if (!inBundle) return [];
    return [...outlines].filter(([place, outline]) => inBundle.get(place) !== outline).map(([at]) => `${name}: ${at}`);
  });
}

async function load(path: string): Promise<Exports | undefined> {
  try {
    return (await import(pathToFileURL(path).href)) as Exports;
  } catch {
    return undefined;
  }
}

/** The modules that a worker loads once for all workflows, from a bundle in a realm of its own. */
function bundledModules(code: string): readonly Exports[] {
  const modules: Record<string, { readonly exports: Exports }> = {};
  const globals = {
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    AbortController,
    AsyncLocalStorage,
    assert,
    console,
  };
  const realm = vm.createContext({ ...globals, __webpack_module_cache__: modules });
  vm.runInContext(code, realm);
  vm.runInContext('__TEMPORAL__.preloadModules?.(); __TEMPORAL__.importWorkflows();', realm);
  return Object.values(modules).map(({ exports }) => exports);
}

/** The outlines of all schemas of each declaration that the modules export, singly or in lists. */
function outlinesOf(modules: readonly Exports[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const declaration of modules.flatMap((module) => Object.values(module).flat())) {
    const name = nameOf(declaration);
    if (name !== undefined && !found.has(name)) found.set(name, schemaOutlines(declaration));
  }
  return found;
}

/** The name of an entity, a resource, a component or an operation over partitions. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'function') return 'kind' in value && 'handlers' in value ? String(value.kind) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('name' in value && ('states' in value || 'calls' in value)) return String(value.name);
  return 'argument' in value && 'canFail' in value && 'type' in value ? String(value.type) : undefined;
}

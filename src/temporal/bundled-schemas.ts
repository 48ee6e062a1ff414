import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { schemaOutlines } from '../definition/schema-outline.js';
import { messageOf } from '../definition/thrown.js';

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
  let bundled;
  try {
    bundled = outlinesOf(bundledModules(code));
  } catch (thrown) {
    return [`it cannot be loaded, while its modules can: ${messageOf(thrown)}`];
  }
  return [...declared].flatMap(([name, copies]) => {
    const others = bundled.get(name);
    if (!others) return [];
    // Two declarations may have one name, such as those of two versions of a type.
    return copies.flatMap((outlines) => {
      const differing = others.map((other) => [...outlines].filter(([place, outline]) => other.get(place) !== outline));
      const fewest = differing.reduce((best, each) => (each.length < best.length ? each : best));
      return fewest.map(([place]) => `${name}: ${place}`);
    });
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

type Outlines = ReadonlyMap<string, string>;

/** The outlines of all schemas of each declaration that the modules export, singly or in lists, by its name. */
function outlinesOf(modules: readonly Exports[]): ReadonlyMap<string, readonly Outlines[]> {
  const found = new Map<string, Outlines[]>();
  for (const declaration of new Set(modules.flatMap((module) => Object.values(module).flat()))) {
    const name = nameOf(declaration);
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), schemaOutlines(declaration)]);
  }
  return found;
}

/** The name of an entity, a resource, a component or an operation over partitions. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'function') return 'kind' in value && 'handlers' in value ? nameOf(value.kind) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('name' in value && 'attributes' in value) return String(value.name);
  if ('name' in value && ('states' in value || 'calls' in value)) return String(value.name);
  return 'argument' in value && 'canFail' in value && 'type' in value ? String(value.type) : undefined;
}

import { pathToFileURL } from 'node:url';
import { ProjectError } from './project-error.js';

/** All that a module of a project exports, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** @throws ProjectError when there is no such module, or something that it needs; and whatever it throws itself */
export async function importModule(file: string): Promise<ModuleExports> {
  try {
    return (await import(pathToFileURL(file).href)) as ModuleExports;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown;
    const problem = `cannot be loaded: ${(thrown as Error).message}.`;
    throw new ProjectError([{ place: file, problem, remedy: 'Build the project first: npm run build.' }]);
  }
}

/** Finds what a module exports of a kind, singly or in lists, each once. @throws ProjectError when there is none */
export function exportsOf<T>(
  file: string,
  module: ModuleExports,
  { isOne, missing, remedy }: { isOne(value: unknown): value is T; readonly missing: string; readonly remedy: string },
): readonly T[] {
  const found = Object.values(module).flat().filter(isOne);
  if (found.length > 0) return [...new Set(found)];
  throw new ProjectError([{ place: file, problem: `exports no ${missing}`, remedy }]);
}

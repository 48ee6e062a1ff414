import { fileURLToPath } from 'node:url';

/** The compiled script of a thread: beside this file, or in the build when this file runs from the sources. */
export function threadScript(name: 'workflow-thread' | 'loop-thread'): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/src/temporal/watch/' : './';
  return fileURLToPath(new URL(`${folder}${name}.js`, import.meta.url));
}

/** A thread has the options of its process, but `--input-type` is only for a script that is given as text. */
export function ownOptions(): { readonly execArgv?: string[] } {
  return process.execArgv.some((each) => each.startsWith('--input-type')) ? { execArgv: [] } : {};
}

import { fileURLToPath } from 'node:url';

/** The absolute path of a file of Reeve's own build, also where this runs from the sources. */
export function builtFile(path: string): string {
  const build = import.meta.url.endsWith('.ts') ? '../../dist/' : '../../';
  return fileURLToPath(new URL(`${build}${path}`, import.meta.url));
}

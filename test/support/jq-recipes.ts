import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** jq as WebAssembly. Its module is a promise, which cannot be imported. */
interface Jq {
  /** Nothing where jq prints nothing. @throws Error with what jq says, where the filter or the JSON is wrong */
  raw(json: string, filter: string, flags?: readonly string[]): string | undefined;
}

/** A line of documentation: `npx reeve ... | jq ...`. */
interface Recipe {
  /** The words after `reeve`. */
  readonly args: readonly string[];
  readonly flags: readonly string[];
  readonly filter: string;
}

/** The recipes in a page. */
export async function jqRecipes(file: string): Promise<readonly Recipe[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^npx reeve (.+?) +\| jq (-\w+ )?(?:'([^']*)'|(\S+))/gm)].map(
    ([, command = '', flag = '', quoted, bare = '']) => ({
      args: command.split(' '),
      flags: flag === '' ? [] : [flag.trim()],
      filter: quoted ?? bare,
    }),
  );
}

/** Gives what jq prints. @throws Error where it does not take the filter */
export async function jq(json: string, { flags, filter }: Recipe): Promise<string> {
  return (await (require('jq-web') as Promise<Jq>)).raw(json, filter, flags) ?? '';
}

import { homedir } from 'node:os';
import { join } from 'node:path';

/** The absolute path of the user's folder for what all clones share: below `XDG_CACHE_HOME`, or `~/.cache`. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'reeve');
}

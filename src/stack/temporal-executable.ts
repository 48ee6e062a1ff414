import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder } from './cache.js';
import { tryLock, type Release } from './lock.js';
import { buildTemporal } from './temporal-build.js';
import { checkTemporal, NotThere } from './temporal-check.js';
import { downloadTemporal } from './temporal-download.js';
import { TEMPORAL_VERSION } from './temporal-version.js';

const LOOK_EVERY_MS = 500;

export interface ExecutableSearch {
  readonly env?: NodeJS.ProcessEnv;
  /** Told of what takes long, and of what was found and cannot be used. */
  readonly report?: (line: string) => void;
  /** Where releases are downloaded from; the official place by default. */
  readonly downloadOrigin?: string;
}

/**
 * Finds the `temporal` executable: `TEMPORAL_EXECUTABLE`, the PATH, the user's cache, the release's download, a build
 * with Go. What was downloaded or built stays in the cache, which all clones share.
 * @returns its path
 * @throws when all fail, with what was tried and why it failed; when `TEMPORAL_EXECUTABLE` names one that does not do
 */
export async function findTemporalExecutable(search: ExecutableSearch = {}): Promise<string> {
  const { env = process.env, report = () => undefined, downloadOrigin } = search;
  const given = env['TEMPORAL_EXECUTABLE'];
  // Whoever names one wants that one.
  if (given) return firstOf([['TEMPORAL_EXECUTABLE', () => checkTemporal(given)]], report);

  const cached = join(cacheFolder(env), 'temporal', TEMPORAL_VERSION, 'temporal');
  const inCache = ['in the cache', () => checkTemporal(cached)] as const;
  const make = (how: () => Promise<void>) => async () => {
    await how();
    return checkTemporal(cached);
  };
  const asIs = await Promise.allSettled([onPath(env), checkTemporal(cached)]);
  void asIs;
  return firstOf(
    [
      ['on the PATH', () => onPath(env)],
      inCache,
      ['download', make(() => downloadTemporal(cached, report, downloadOrigin))],
      ['build with Go', make(() => buildTemporal(cached, { env, report }))],
    ],
    report,
  );
}

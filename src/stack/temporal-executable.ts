import { delimiter, dirname, join } from 'node:path';
import { cacheFolder } from './cache.js';
import { awaitLock } from './lock.js';
import { buildTemporal } from './temporal-build.js';
import { checkTemporal, NotThere } from './temporal-check.js';
import { downloadTemporal } from './temporal-download.js';
import { TEMPORAL_VERSION } from './temporal-version.js';
import { messageOf } from '../definition/thrown.js';

export interface ExecutableSearch {
  readonly env?: NodeJS.ProcessEnv;
  /** Is called with what takes long, and with what was found and cannot be used. */
  readonly report?: (line: string) => void;
  /** The host from which releases are downloaded. Default: the official one. */
  readonly downloadOrigin?: string;
}

type Attempt = <T>(name: string, find: () => Promise<T>) => Promise<T | undefined>;

/**
 * Finds the `temporal` executable. It tries, in this order: `TEMPORAL_EXECUTABLE`, the PATH, the user's cache, a download of the
 * release, a build with Go. What was downloaded or built stays in the cache, which all clones share.
 * @returns its path
 * @throws when everything fails, or when the one that `TEMPORAL_EXECUTABLE` names cannot be used; the message says what was tried
 *     and why it failed
 */
export async function findTemporalExecutable(search: ExecutableSearch = {}): Promise<string> {
  const { env = process.env, report = () => undefined } = search;
  const failures: string[] = [];
  const attempt = attempting(failures, report);
  const installed = await findInstalled(env, attempt);
  // A person who names an executable wants no other one.
  const found =
    installed ??
    (env['TEMPORAL_EXECUTABLE'] ? undefined : await makeTemporal(cachedPath(env), attempt, { ...search, env, report }));
  if (found === undefined) throw new Error(explain(failures));
  return found;
}

/** The executable that is there without a download or a build. Where there is none, `failures` says what was tried. */
export async function findInstalledTemporal(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly path?: string; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  const path = await findInstalled(
    env,
    attempting(failures, () => undefined),
  );
  return { ...(path !== undefined && { path }), failures };
}

async function findInstalled(env: NodeJS.ProcessEnv, attempt: Attempt): Promise<string | undefined> {
  const given = env['TEMPORAL_EXECUTABLE'];
  if (given) return attempt('TEMPORAL_EXECUTABLE', () => checkTemporal(given));
  return (
    (await attempt('on the PATH', () => findOnPath(env))) ??
    (await attempt('in the cache', () => checkTemporal(cachedPath(env))))
  );
}

function cachedPath(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), 'temporal', TEMPORAL_VERSION, 'temporal');
}

/** Attempts that note why they failed. They report each failure except that nothing was there. */
function attempting(failures: string[], report: (line: string) => void): Attempt {
  return async (name, find) => {
    try {
      return await find();
    } catch (thrown) {
      const failure = `${name}: ${messageOf(thrown)}`;
      failures.push(failure);
      if (!(thrown instanceof NotThere)) report(`Temporal ${failure}`);
      return undefined;
    }
  };
}

/** Downloads or builds the executable. One process of the user does so at a time, and the others take what it has made. */
async function makeTemporal(
  cached: string,
  attempt: Attempt,
  { env, report, downloadOrigin }: ExecutableSearch & Required<Pick<ExecutableSearch, 'env' | 'report'>>,
): Promise<string | undefined> {
  const lock = await attempt('in the cache', () =>
    awaitLock(join(dirname(cached), 'lock'), (holder) =>
      report(`process ${holder} is downloading or building Temporal ${TEMPORAL_VERSION}: waiting for it`),
    ),
  );
  if (!lock) return undefined;
  try {
    const byAnother = lock.waited ? await attempt('from another process', () => checkTemporal(cached)) : undefined;
    return (
      byAnother ??
      (await attempt('download', async () => {
        await downloadTemporal(cached, report, downloadOrigin);
        return checkTemporal(cached);
      })) ??
      (await attempt('build with Go', async () => {
        await buildTemporal(cached, { env, report });
        return checkTemporal(cached);
      }))
    );
  } finally {
    await lock.release();
  }
}

async function findOnPath(env: NodeJS.ProcessEnv): Promise<string> {
  const unusable: unknown[] = [];
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    try {
      return await checkTemporal(join(folder, 'temporal'));
    } catch (thrown) {
      if (!(thrown instanceof NotThere)) unusable.push(thrown);
    }
  }
  if (unusable.length > 0) throw unusable[0];
  throw new NotThere(`there is no 'temporal' command`);
}

function explain(failures: readonly string[]): string {
  return [
    'No Temporal executable was found, and none could be made. This was tried:',
    ...failures.map((failure) => `  - ${failure}`),
    `Do one of these: install the 'temporal' command (https://docs.temporal.io/cli), set TEMPORAL_EXECUTABLE to its path,`,
    `install Go so that it can be built, or set TEMPORAL_ADDRESS to a Temporal service that runs.`,
  ].join('\n');
}

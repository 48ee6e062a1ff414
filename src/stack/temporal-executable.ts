import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { buildTemporal } from './temporal-build.js';
import { downloadTemporal } from './temporal-download.js';
import { OLDEST_TEMPORAL, TEMPORAL_VERSION } from './temporal-version.js';

const run = promisify(execFile);

export interface ExecutableSearch {
  readonly env?: NodeJS.ProcessEnv;
  /** Told of what takes long. */
  readonly report?: (line: string) => void;
}

/**
 * Finds the `temporal` executable: `TEMPORAL_EXECUTABLE`, the PATH, the user's cache, the release's download, a build
 * with Go. What was downloaded or built stays in the cache, which all clones share.
 * @throws when all fail, with what was tried and why it failed
 */
export async function findTemporalExecutable(search: ExecutableSearch = {}): Promise<string> {
  const { env = process.env, report = () => undefined } = search;
  const cached = join(cacheFolder(env), process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  const given = env['TEMPORAL_EXECUTABLE'];
  const failures: string[] = [];
  const attempt = async (name: string, find: () => Promise<string | undefined>): Promise<string | undefined> => {
    try {
      const path = await find();
      if (path !== undefined) return path;
    } catch (thrown) {
      failures.push(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
    return undefined;
  };
  const make = (how: (target: string) => Promise<void>) => async () => {
    await mkdir(cacheFolder(env), { recursive: true });
    await how(cached);
    return checked(cached);
  };

  if (given) {
    const path = await attempt('TEMPORAL_EXECUTABLE', () => checked(given));
    // Whoever names one wants that one.
    if (path === undefined) throw new Error(explain(failures));
    return path;
  }
  const found =
    (await attempt('on the PATH', () => onPath(env))) ??
    (await attempt(`in the cache (${cached})`, () => checked(cached))) ??
    (await attempt(
      'download',
      make((target) => downloadTemporal(target, report)),
    )) ??
    (await attempt(
      'build with Go',
      make((target) => buildTemporal(target, { env, report })),
    ));
  if (found === undefined) throw new Error(explain(failures));
  return found;
}

function explain(failures: readonly string[]): string {
  return [
    'No Temporal executable was found, and none could be made. This was tried:',
    ...failures.map((failure) => `  - ${failure}`),
    `Do one of these: install the 'temporal' command (https://docs.temporal.io/cli), set TEMPORAL_EXECUTABLE to its path,`,
    `install Go so that it can be built, or set TEMPORAL_ADDRESS to a Temporal service that runs.`,
  ].join('\n');
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'reeve', 'temporal', TEMPORAL_VERSION);
}

async function onPath(env: NodeJS.ProcessEnv): Promise<string> {
  const reasons: string[] = [];
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    try {
      return await checked(join(folder, 'temporal'));
    } catch (thrown) {
      const reason = (thrown as Error).message;
      if (!reason.includes('ENOENT')) reasons.push(reason);
    }
  }
  throw new Error(reasons.join('; ') || `there is no 'temporal' command`);
}

/** The path, once it has told a version that is new enough. */
async function checked(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
  const version = /(\d+)\.(\d+)\.\d+/.exec(stdout);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  // A build from the pinned manifest tells its version as 0.0.0-DEV.
  const own = stdout.includes('0.0.0');
  const oldEnough = major > OLDEST_TEMPORAL[0] || (major === OLDEST_TEMPORAL[0] && minor >= OLDEST_TEMPORAL[1]);
  if (!own && !oldEnough) {
    throw new Error(
      `${path} is too old or unknown (${stdout.trim()}); it has to be ${OLDEST_TEMPORAL.join('.')} or newer`,
    );
  }
  return path;
}

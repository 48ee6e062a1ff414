import { spawn } from 'node:child_process';
import { cp, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from './processes.js';
import { TEMPORAL_VERSION } from './temporal-version.js';

/** The pinned manifest, seen from the sources and from the build. */
const MANIFESTS = ['../../infra/temporal/', '../../../infra/temporal/'].map((path) => new URL(path, import.meta.url));
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
const REPORT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
}

/**
 * Builds the executable with Go from the pinned manifest in `infra/temporal`. Takes minutes the first time.
 * Two builds of one target do not happen at once: the second waits for the first.
 * @throws with what Go said
 */
export async function buildTemporal(target: string, { env, report }: BuildOptions): Promise<void> {
  const giveBack = await takeTurn(`${target}.building`, report);
  try {
    if (await exists(target)) return;
    const folder = await mkdtemp(join(dirname(target), 'build-'));
    try {
      await cp(fileURLToPath(await manifest()), folder, { recursive: true });
      const built = join(folder, 'temporal');
      const args = ['build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', built, PACKAGE];
      await build(args, folder, { env, report });
      await rename(built, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    await giveBack();
  }
}

async function manifest(): Promise<URL> {
  for (const url of MANIFESTS) if (await exists(fileURLToPath(new URL('go.mod', url)))) return url;
  throw new Error('the manifest infra/temporal/go.mod is missing from this installation');
}

async function build(args: readonly string[], cwd: string, { env, report }: BuildOptions): Promise<void> {
  const startedAt = Date.now();
  report(`building Temporal ${TEMPORAL_VERSION} with Go: 3 to 6 minutes the first time, then it stays in the cache`);
  const progress = setInterval(() => {
    report(`building Temporal, ${Math.round((Date.now() - startedAt) / 1000)} s so far`);
  }, REPORT_EVERY_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      const go = spawn('go', [...args], {
        cwd,
        env: { ...env, CGO_ENABLED: '0' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      go.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
      go.once('error', (error: NodeJS.ErrnoException) =>
        reject(new Error(error.code === 'ENOENT' ? `there is no 'go' command` : error.message)),
      );
      go.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`go build ended with ${code}: ${said.trim()}`)),
      );
    });
  } finally {
    clearInterval(progress);
  }
  report(`built Temporal in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Waits until no other process builds, and takes the lock; that of a process which is gone is taken over. */
async function takeTurn(path: string, report: (line: string) => void): Promise<() => Promise<void>> {
  for (let told = false; ;) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
    const pid = Number(await readFile(path, 'utf8').catch(() => ''));
    if (pid && !isAlive(pid)) await rm(path, { force: true });
    else if (!told) report(`another process (${pid}) builds Temporal: waiting for it`);
    told = true;
    await delay(LOOK_EVERY_MS);
  }
}

async function exists(path: string): Promise<boolean> {
  return open(path, 'r').then(
    (file) => file.close().then(() => true),
    () => false,
  );
}

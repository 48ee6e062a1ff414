import { spawn } from 'node:child_process';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDS_WITHIN_MS, LEASH } from './kept-process.js';
import { TEMPORAL_VERSION } from './temporal-version.js';
import { withWorkFolder } from './work-folder.js';

/** The path of the pinned manifest, as seen from the sources or from the build. */
const MANIFEST = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../infra/temporal' : '../../../infra/temporal', import.meta.url),
);
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
const VERSION = `-X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_VERSION}`;
const REPORT_EVERY_MS = 15_000;
/** The exit code of a leash when there is no such command. */
const NOT_STARTED = 127;
const SAID_BEFORE_IT_FAILED = 2_000;

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
}

/**
 * Builds the executable with Go from the pinned manifest in `infra/temporal`. The first time takes minutes.
 * @throws an error with what Go printed
 */
export async function buildTemporal(target: string, options: BuildOptions): Promise<void> {
  await withWorkFolder(target, async (folder) => {
    // Go may write beside the manifest, so it gets a copy, and the clone stays as it is.
    await cp(MANIFEST, folder, { recursive: true });
    const built = join(folder, 'temporal');
    await build(['build', '-mod=mod', '-trimpath', `-ldflags=-s -w ${VERSION}`, '-o', built, PACKAGE], folder, options);
    await rename(built, target);
  });
}

async function build(args: readonly string[], cwd: string, { env, report }: BuildOptions): Promise<void> {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  report(`building Temporal ${TEMPORAL_VERSION} with Go: 3 to 6 minutes the first time, then it stays in the cache`);
  const progress = setInterval(() => report(`building Temporal, ${seconds()} s so far`), REPORT_EVERY_MS);
  try {
    await runGo(args, cwd, env);
  } finally {
    clearInterval(progress);
  }
  report(`built Temporal in ${seconds()} s`);
}

/** Runs Go on a leash, so that a build does not go on for minutes after we were killed. */
async function runGo(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(join(cwd, 'run'));
  const go = spawn(process.execPath, [LEASH, cwd, 'go', 'SIGTERM', String(ENDS_WITHIN_MS), 'go', ...args], {
    cwd,
    env: { ...env, CGO_ENABLED: '0' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  go.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-SAID_BEFORE_IT_FAILED)));
  const code = await new Promise<number | null>((resolve, reject) => {
    go.once('error', reject);
    go.once('close', resolve);
  });
  if (code === NOT_STARTED) throw new Error(`there is no 'go' command`);
  if (code !== 0) throw new Error(`go build: ${said.trim() || `ended with ${code ?? 'a signal'}`}`);
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import type { Actor } from '../src/protocol/actor.js';
import { EXIT } from '../src/cli/exit.js';
import { ApiKeyFile } from '../src/service/authentication/api-key-file.js';
import { createApiKey } from '../src/service/authentication/api-key.js';
import { KeptProcess } from '../src/stack/kept-process.js';
import { choosePort } from '../src/stack/ports.js';
import { CONFIGURATION, installSchemathesis } from './api/schemathesis.js';
import { commandOptions } from './command-options.js';
import { startProject, untilServiceAnswers } from '../src/project/index.js';
import { controlPlaneProject } from '../workers/project.js';

const HELP = `npm run verify-api -- [--seed N]

Schemathesis asks the management service everything that its OpenAPI document allows, and much that it does not allow, and compares the
answers with the document. The document must have every answer, and no answer may be a defect. It works on a stack of its own, whose
resources are in memory, in a folder that it removes. S6.1

  --seed N   ask other things (default: 1)`;

interface Round {
  readonly title: string;
  /** The actor who asks with a key. Without one, everybody on this machine may do everything. */
  readonly actor?: Actor;
  readonly options: readonly string[];
}

const ROUNDS: readonly Round[] = [
  {
    title: 'without a key, on a service that asks for none',
    options: ['--phases', 'examples,coverage,fuzzing,stateful', '--exclude-checks', 'ignored_auth'],
  },
  {
    title: 'with the key of an operator, and without or with a wrong one',
    actor: { subject: 'verifier', tenant: '*', roles: ['operator'] },
    options: ['--phases', 'coverage'],
  },
  {
    title: 'with the key of a reader of one tenant',
    actor: { subject: 'verifier', tenant: 'acme', roles: ['reader'] },
    options: ['--phases', 'coverage'],
  },
];

const LONGEST_MS = 30 * 60_000;

const { values } = commandOptions(HELP, { seed: { type: 'string', default: '1' } });
const home = await mkdtemp(join(tmpdir(), 'reeve-api-'));
await useNothingElse();
const asked = new AbortController();
// This also ends the run when the service hangs.
setTimeout(() => asked.abort(), LONGEST_MS).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => asked.abort());
process.exitCode = await main()
  .catch((thrown: unknown) => {
    console.error(pc.red(asked.signal.aborted ? 'The run was stopped before its end.' : String(thrown)));
    return EXIT.unreachable;
  })
  .finally(() => rm(home, { recursive: true, force: true }));

async function main(): Promise<number> {
  const report = (line: string) => console.error(pc.dim(`  ${line}`));
  const schemathesis = await installSchemathesis(report);
  process.env['REEVE_API_PORT'] = String(await choosePort());
  const plane = await startProject({
    ...{ project: await controlPlaneProject(), home, report },
    workerScript: fileURLToPath(new URL('./api/imitated-worker.js', import.meta.url)),
  });
  try {
    const failed: string[] = [];
    for (const { title, actor, options } of ROUNDS) {
      console.log(`\n${pc.bold(title)}\n`);
      const run = (url: string, more: readonly string[]) => ask(schemathesis, url, [...options, ...more]);
      const code = actor ? await withService(actor, run) : await run(plane.serviceUrl, []);
      if (code !== 0) failed.push(title);
    }
    if (failed.length === 0) {
      console.log(pc.green('the document has every answer'));
      return 0;
    }
    console.log(pc.red(`not as documented: ${failed.join('; ')}`));
    console.log(`To see it again: npm run verify-api -- --seed ${values.seed}`);
    return 1;
  } finally {
    await plane.stop();
  }
}

/** Runs on a second instance of the service, which asks for keys. */
async function withService(
  actor: Actor,
  run: (url: string, options: readonly string[]) => Promise<number>,
): Promise<number> {
  const { key, record } = createApiKey(actor, new Date());
  const keys = join(home, 'keys.json');
  await new ApiKeyFile(keys).write([record]);
  const port = await choosePort();
  const service = await KeptProcess.start({
    name: 'guarded-service',
    home,
    command: process.execPath,
    args: ['--enable-source-maps', fileURLToPath(new URL('./api/guarded-service.js', import.meta.url))],
    env: { REEVE_DATA_DIR: home, REEVE_API_PORT: String(port), REEVE_API_KEYS: keys },
  });
  try {
    const url = await untilServiceAnswers(port, service);
    return await run(url, ['--header', `Authorization: Bearer ${key}`]);
  } finally {
    await service.stop();
  }
}

/** Runs Schemathesis. Gives its exit code, which is not 0 when it has found something. */
function ask(schemathesis: string, url: string, options: readonly string[]): Promise<number> {
  const args = ['--config-file', CONFIGURATION, 'run', `${url}/openapi.json`, '--seed', values.seed, ...options];
  return new Promise((resolve, reject) => {
    // It runs in the folder that is removed, since it leaves files where it runs.
    const child = spawn(schemathesis, args, {
      cwd: home,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal: asked.signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Takes services, databases and settings out of the environment, since the run fills what it uses with thousands of entities. */
async function useNothingElse(): Promise<void> {
  for (const name of Object.keys(process.env)) {
    if (/^(TEMPORAL_(?!EXECUTABLE$)|REEVE_|DATABASE_URL$)/.test(name)) delete process.env[name];
  }
  const profiles = join(home, 'temporal.toml');
  await writeFile(profiles, '[profile.default]\n');
  process.env['TEMPORAL_CONFIG_FILE'] = profiles;
}

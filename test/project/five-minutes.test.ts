import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { initProject } from '../../src/project/init.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'start', 'five-minutes.md');
const run = promisify(execFile);

it('the commands of the first five minutes print what their page shows (S6.3)', async () => {
  const folder = await garden();
  const env = {
    ...process.env,
    ...{ NO_COLOR: '1', NODE_OPTIONS: '', REEVE_DATA_DIR: join(folder, '.reeve') },
    PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`,
  };
  await run('npm', ['run', 'build'], { cwd: folder, env });
  const up = spawn(join(ROOT, 'infra', 'reeve.mjs'), ['up'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(up, 'exit');
  let started = '';
  for (const output of [up.stdout, up.stderr]) output.on('data', (chunk) => (started += String(chunk)));
  try {
    await until(async () => expect(started).toContain('Ctrl-C'));
    let printed = started;
    for (const block of await blocks()) {
      if (/^npx reeve init/.test(block)) continue; // It is done, without an installation from the registry.
      if (/^(npx reeve|cat) /.test(block)) printed = await outputOf(block, folder, env);
      else for (const line of linesOf(block)) expect(linesOf(printed)).toContainEqual(expect.stringContaining(line));
    }
  } finally {
    up.kill('SIGINT');
    await ended;
  }
});

/** Returns the code of the page that has no language: commands, and their output. */
async function blocks(): Promise<readonly string[]> {
  const page = await readFile(PAGE, 'utf8');
  return [...page.matchAll(/^```\n(.*?)^```/gms)].map(([, block]) => block!);
}

/** Runs the commands as a shell does. Some are meant to fail. */
async function outputOf(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const script = commands.replace(/^npx /gm, '');
  const { stdout, stderr } = await run('sh', ['-c', script], { cwd, env }).catch(
    (failure: { readonly stdout: string; readonly stderr: string }) => failure,
  );
  return stdout + stderr;
}

/** Its lines, without times and ports, which differ each time. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\d+(\.\d+)? s\b/g, 'N s').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'))
    .filter((line) => line !== '');
}

/** A new project, with the packages of this clone. */
async function garden(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'reeve-garden-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const { folder } = await initProject(join(parent, 'garden'), () => undefined, []);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '.cache') await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await symlink(ROOT, join(modules, 'reeve'));
  return folder;
}

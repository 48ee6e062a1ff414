import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { initProject } from '../../src/project/init.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

it('what the five minutes and the tutorial show runs, and prints what they show (S6.3)', async () => {
  const folder = await garden();
  const [minutes, tutorial] = await Promise.all([pageOf('five-minutes'), pageOf('tutorial')]);
  for (const [, path, code] of tutorial.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```/gms)) {
    await mkdir(dirname(join(folder, path!)), { recursive: true });
    await writeFile(join(folder, path!), code!);
  }
  const env = {
    ...process.env,
    ...{ NO_COLOR: '1', NODE_OPTIONS: '', REEVE_DATA_DIR: join(folder, '.reeve') },
    PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`,
  };
  await run('npm', ['run', 'build'], { cwd: folder, env });
  const { stdout } = await run('node', ['--test', join('dist', 'test', 'shop.simulation.test.js')], {
    cwd: folder,
    env,
  });
  expect(stdout).toContain('fail 0');

  const up = spawn(join(ROOT, 'infra', 'reeve.mjs'), ['up'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(up, 'exit');
  let printed = '';
  for (const output of [up.stdout, up.stderr]) output.on('data', (chunk) => (printed += String(chunk)));
  try {
    await until(async () => expect(printed).toContain('Ctrl-C'));
    for (const block of [...blocksOf(minutes), ...blocksOf(tutorial)]) {
      if (isCommands(block)) printed = await outputOf(block, folder, env);
      else
        for (const line of linesOf(block)) expect.soft(linesOf(printed)).toContainEqual(expect.stringContaining(line));
    }
  } finally {
    up.kill('SIGINT');
    await ended;
  }
});

const pageOf = (name: string) => readFile(join(ROOT, 'docs', 'start', `${name}.md`), 'utf8');

/**
 * The code of a page that has no language: commands for the stack, and their output. Left out are commands for another stack, and what
 * the test has done in another way.
 */
function blocksOf(page: string): readonly string[] {
  const fences = [...page.matchAll(/^```(\w*)\n(.*?)^```/gms)];
  const blocks = fences.flatMap(([, language, block]) => (language === '' ? [block!] : []));
  return blocks.filter((block) => !/^(npx (--package|reeve prepare)|npm test|export|curl) ?/.test(block));
}

const isCommands = (block: string) => /^(npx reeve|cat) /.test(block);

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
    if (!['.cache', 'reeve'].includes(name)) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await symlink(ROOT, join(modules, 'reeve'));
  return folder;
}

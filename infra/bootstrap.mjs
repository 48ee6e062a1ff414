/*
 * Sets up a fresh clone and does what is asked: `node infra/bootstrap.mjs start|test|build|docs|run [ARG ...]`. It is plain Node
 * without dependencies, since nothing is installed when it runs for the first time.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];
const COMPILED = ['src', 'workflows', 'activities', 'workers', 'tools'];
const SOURCES = [...COMPILED, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const INSTALLED = join(ROOT, 'node_modules', '.reeve-installed');
const BUILT = join(ROOT, 'dist', '.built');

process.chdir(ROOT);
const [command, ...args] = process.argv.slice(2);
checkNode();
await install();
linkPackage();
if (command !== 'docs') await build();
process.exit(await perform(command, args));

function perform(name, rest) {
  switch (name) {
    case 'build':
      return 0;
    case 'start':
      return run(process.execPath, ['dist/workers/development.js', ...rest], 'SIGTERM');
    case 'run':
      return run(process.execPath, rest);
    case 'test':
      return test(rest);
    case 'docs':
      return docs(rest);
    default:
      console.error('usage: node infra/bootstrap.mjs start|test|build|docs|run [ARG ...]');
      return 2;
  }
}

async function test(rest) {
  const isWhole = rest.length === 0;
  const tests = run(process.execPath, [
    ...['node_modules/.bin/vitest', 'run'],
    ...(isWhole ? ['--project', 'pure', '--project', 'services'] : rest),
  ]);
  if (!isWhole) return tests;
  // Tests that wait for services leave the processor to what needs no service.
  const checks = collect(process.execPath, ['infra/check.mjs']);
  const failed = await tests;
  // After the tests: among their thousands of lines nobody would see what a check has found.
  const { code, output } = await checks;
  process.stdout.write(`\n${output}\n`);
  return Math.max(failed, code);
}

/** Builds the site of `docs` into dist/guide. It needs no other build, and no other build makes it: it takes ten seconds. */
async function docs(rest) {
  await step('building the documentation', process.execPath, ['node_modules/.bin/vitepress', 'build', 'docs', ...rest]);
  return 0;
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Reeve needs Node ${OLDEST_NODE.join('.')} or newer, but this is Node ${process.versions.node}.`);
  process.exit(2);
}

/** Installs the packages of the lockfile, unless that was done already. */
async function install() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return;
  await step('installing packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
  writeFileSync(INSTALLED, wanted);
}

/** Links our own package and its command, so that the projects in `examples` find both as if Reeve were installed. */
function linkPackage() {
  link(join('node_modules', '.bin', 'reeve'), join('..', '..', 'infra', 'reeve.mjs'));
  link(join('node_modules', 'reeve'), process.platform === 'win32' ? ROOT : '..', 'junction');
}

function link(path, target, type) {
  if (existsSync(path)) return;
  rmSync(path, { force: true });
  symlinkSync(target, path, type);
}

/** Compiles what has changed when a source is newer than the last build, and removes what removed sources have left. */
async function build() {
  if (existsSync(BUILT) && newest(SOURCES) <= statSync(BUILT).mtimeMs) return;
  const startedAt = new Date();
  mkdirSync('dist', { recursive: true });
  rmSync(BUILT, { force: true });
  removeOrphans();
  await step('building', process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json']);
  await step('bundling workflows and laying out diagrams', process.execPath, ['dist/src/cli/main.js', 'build']);
  await step('building the page', process.execPath, [
    'node_modules/.bin/vite',
    'build',
    '--config',
    'src/page/vite.config.ts',
  ]);
  writeFileSync(BUILT, startedAt.toISOString());
}

/** Removes each compiled file whose source is gone: tests and tools that list a folder would find it. */
function removeOrphans() {
  for (const folder of COMPILED.filter((name) => existsSync(join('dist', name)))) {
    for (const file of readdirSync(join('dist', folder), { recursive: true })) {
      const compiled = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(join(folder, file));
      if (compiled && !existsSync(`${compiled[1]}.ts`)) rmSync(join('dist', folder, file));
    }
  }
}

function newest(paths) {
  return Math.max(
    ...paths.map((path) => {
      const stat = statSync(path);
      return stat.isDirectory()
        ? Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))))
        : stat.mtimeMs;
    }),
    0,
  );
}

/** Runs a command and prints one line for a person. When the command fails, it prints its whole output. */
async function step(name, file, parameters) {
  const startedAt = Date.now();
  const { code, output } = await collect(file, parameters);
  if (code !== 0) fail(name, output);
  console.error(`${name}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Runs a command to its end. Gives its exit code and all that it has printed. */
function collect(file, parameters) {
  return new Promise((resolve) => {
    const child = spawn(file, parameters, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    passSignals(child);
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function fail(name, output) {
  console.error(`${name} failed:\n${output.trim()}`);
  process.exit(1);
}

/** Runs a command on our terminal. Signals go to the command, SIGINT as `interrupted`, and we end when it has ended. */
function run(file, parameters, interrupted) {
  return new Promise((resolve) => {
    const child = spawn(file, parameters, { stdio: 'inherit' });
    // Ctrl-C reaches the child by the terminal, too, and it must not get the same signal twice: the second one would kill it.
    process.on('SIGINT', () => interrupted && child.kill(interrupted));
    passSignals(child);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Signals that are sent to us alone have to be passed on. */
function passSignals(child) {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}

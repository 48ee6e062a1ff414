/* Builds the project in an image, and puts what is needed to run it into the folder `image`, with a list of what that is (SBOM). */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMAGE = 'image';
/** The optional packages that processes in production use. An image has no embedded PostgreSQL. */
const USED = ['@temporalio/worker', 'swagger-ui-dist'];
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

run(process.execPath, 'infra/bootstrap.mjs', 'build');
const { devDependencies: _, peerDependencies, peerDependenciesMeta: __, ...own } = readJson('package.json');
for (const name of USED) own.dependencies[name] = peerDependencies[name];
writeFileSync('package.json', JSON.stringify(own, undefined, 2));
run('npm', 'prune', '--omit=dev', '--no-audit', '--no-fund');

// The native part of Temporal's SDK comes for all platforms.
const platform = `${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-unknown-linux-gnu`;
const releases = 'node_modules/@temporalio/core-bridge/releases';
for (const name of readdirSync(releases)) if (name !== platform) rmSync(join(releases, name), { recursive: true });

mkdirSync(IMAGE);
for (const path of ['package.json', 'node_modules', 'dist', 'infra'])
  cpSync(path, join(IMAGE, path), { recursive: true, verbatimSymlinks: true });
rmSync(join(IMAGE, 'dist/tools'), { recursive: true, force: true });
// In the form of SPDX, at the place where scanners look.
writeFileSync(
  join(IMAGE, 'sbom.spdx.json'),
  execFileSync('npm', ['sbom', '--omit=dev', '--sbom-format=spdx'], { maxBuffer: 1e8 }),
);

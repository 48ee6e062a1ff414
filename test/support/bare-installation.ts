import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Described {
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

export const described = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Described;
/** The packages that Reeve does not install. */
const optional = Object.keys(described.peerDependenciesMeta);

/** Runs Node in a folder. @throws an error with `code`, `stdout` and `stderr` when it fails */
export type RunNode = (...args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

/**
 * A folder in which Reeve is installed as by npm: with what its package.json names, and without its optional packages. It lies
 * outside of the clone, whose packages nobody finds there.
 */
export async function bareInstallation(): Promise<{ readonly folder: string; readonly node: RunNode }> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-bare-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  const needed = Object.keys({ ...described.dependencies, ...described.peerDependencies });
  for (const name of needed.filter((each) => !optional.includes(each))) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const path of ['package.json', join('dist', 'src'), join('dist', 'page'), 'infra']) {
    await cp(join(ROOT, path), join(modules, 'reeve', path), { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(REEVE_|TEMPORAL_|DATABASE_URL$|NODE_OPTIONS$|VITEST)/.test(name),
    ),
  );
  const node: RunNode = (...args) => promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return { folder, node };
}

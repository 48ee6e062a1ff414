import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Installing and compiling print some lines; a failed compilation prints many. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** A commit that was built, beside this one. */
export interface Build {
  readonly commit: string;
  readonly folder: string;
}

/** The commit of the sources that run, with `+` when they were changed since. */
export async function ownCommit(): Promise<string> {
  const changed = await git('status', '--porcelain', '--untracked-files=no');
  return `${await hashOf('HEAD')}${changed === '' ? '' : '+'}`;
}

/**
 * Builds a commit of this repository in a folder for temporary files, where it stays for the next comparison. Within the clone, checks would
 * find it. Where only its user may look, an older build's PostgreSQL does not start, which runs as another user when root starts it.
 * @throws TypeError when there is no such commit
 */
export async function buildCommit(name: string, report: (line: string) => void): Promise<Build> {
  const commit = await hashOf(name);
  const folder = join(tmpdir(), `reeve-bench-builds-${userInfo().username}`, commit);
  if (!existsSync(join(folder, 'dist', '.built'))) {
    report(`building ${commit}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const archive = join(folder, 'sources.tar');
    await git('archive', '--output', archive, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    await rm(archive);
    await run(process.execPath, ['infra/bootstrap.mjs', 'build'], { cwd: folder, maxBuffer: MOST_OUTPUT });
  }
  return { commit, folder };
}

async function hashOf(name: string): Promise<string> {
  try {
    return await git('rev-parse', '--verify', '--short=8', `${name}^{commit}`);
  } catch {
    throw new TypeError(`'${name}' is no commit of this repository. Give a hash, a branch or a tag.`);
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', args)).stdout.trim();
}

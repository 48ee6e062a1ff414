import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { initProject } from '../../../src/project/init.js';
import { addFleet } from './fleet-source.js';

const run = promisify(execFile);

/** A project that was made for the function, and what deploys it. */
export interface MadeProject {
  readonly folder: string;
  /** The module of the handler, in what goes to AWS. */
  readonly handler: string;
}

/** Makes a project as a user does: `reeve init --with lambda`, an entity more, `npm install`, `npm run package:lambda`. Q3 */
export async function makeProject(folder: string, report: (line: string) => void): Promise<MadeProject> {
  await initProject(folder, report, ['lambda']);
  await addFleet(folder);
  await npm(folder, 'install', '--no-audit', '--no-fund');
  const said = await npm(folder, 'run', 'package:lambda');
  report(said.trim().split('\n').at(-1)!);
  return { folder, handler: join(folder, 'dist-lambda', 'dist', 'src', 'lambda.js') };
}

/** Runs a command of the project's own Reeve. */
export async function reeveOf(folder: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<void> {
  await run(process.execPath, [commandOf(folder), ...args], { cwd: folder, env });
}

/** The script of the project's own command line. */
export function commandOf(folder: string): string {
  return join(folder, 'node_modules', 'reeve', 'infra', 'reeve.mjs');
}

async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  // The variables that npm gives this process are not for the project.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const { stdout } = await run('npm', [...args], { cwd: folder, env, maxBuffer: 64_000_000 });
  return stdout;
}

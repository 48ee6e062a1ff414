import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program of Node to its end. Gives what it has printed. @throws with its output when it fails */
export async function runOnce(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  return stdout + stderr;
}

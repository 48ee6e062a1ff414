import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The output of a command, and its exit code. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a user types it; `hear` is told what it prints as soon as it does. */
export function runReeve(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
  hear: (text: string) => void = () => undefined,
): Promise<Output> {
  // The OpenAPI document is larger than what is kept of an output by default.
  const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((done) => {
    const child = execFile(resolve('node_modules/.bin/reeve'), [...args], options, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdout?.on('data', (data) => hear(String(data)));
  });
}

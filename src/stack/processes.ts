import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It exists and belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, or `undefined` when there is no such process. */
export async function commandLine(pid: number): Promise<string | undefined> {
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}

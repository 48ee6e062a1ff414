import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../definition/thrown.js';

const run = promisify(execFile);
const USER = 'postgres';

/** A program with its arguments. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Tells whether PostgreSQL needs another user than ours, since it refuses to run as root. */
export function needsDatabaseUser(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The command in a form that PostgreSQL accepts. Where we are root, it runs as a user of its own. That user keeps one right, to
 * reach files, since a data directory may lie below a folder that is closed to others, such as root's home.
 */
export function asDatabaseUser({ command, args }: Command): Command {
  if (!needsDatabaseUser()) return { command, args };
  const user = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
  // PostgreSQL asks by access(2) whether it can reach a program. Without the last option, the answer ignores the right.
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return { command: 'setpriv', args: [...user, ...rights, '--', command, ...args] };
}

/**
 * The user id and group id of that user. The user is made where it does not exist.
 * @throws when it cannot be made
 */
export async function databaseUserIds(): Promise<{ readonly uid: number; readonly gid: number }> {
  const id = async (flag: string) => Number((await run('id', [flag, USER])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    try {
      await run('useradd', ['--system', '--user-group', '--no-create-home', USER]);
    } catch (thrown) {
      const reason = messageOf(thrown);
      throw new Error(
        `PostgreSQL does not run as root, and the user '${USER}' cannot be made for it: ${reason}. Run as another user.`,
      );
    }
    return { uid: await id('-u'), gid: await id('-g') };
  }
}

import { existsSync, readFileSync } from 'node:fs';

/** How long a tick of `/proc` is, in milliseconds: `getconf CLK_TCK` is 100 on each platform of Node. */
const TICK_MS = 10;
/** The places of user and system time among what follows the command's name, which may have spaces in it. proc(5) */
const [USER, SYSTEM] = [11, 12];

/**
 * How long a thread of this process has computed, in milliseconds. Where the system does not tell of one thread, that of the whole
 * process.
 */
export function cpuTime(thread: number): number {
  const file = `/proc/self/task/${thread}/stat`;
  if (thread === 0 || !existsSync(file)) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}

import { readFileSync } from 'node:fs';

/** How long a tick of `/proc` is, in milliseconds: `getconf CLK_TCK` is 100 on each platform of Node. */
const TICK_MS = 10;
/** The places of user and system time among what follows the command's name, which may have spaces in it. proc(5) */
const [USER, SYSTEM] = [11, 12];

/** How long a process has computed, in milliseconds; nothing where the system does not tell. */
export function computedBy(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}

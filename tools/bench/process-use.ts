import { readFile } from 'node:fs/promises';

/** Ticks of CPU time in a second, and bytes in a page of memory: the same on all Linux machines that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** Tells what a process has used: CPU time since it began in milliseconds, and memory in bytes. Linux only. */
export async function usedBy(pid: number): Promise<{ readonly cpuMs: number; readonly residentBytes: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the command, in parentheses, may have spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, pages] = [fields[11]!, fields[12]!, fields[21]!];
  return { cpuMs: ((user + system) * 1_000) / TICKS_PER_SECOND, residentBytes: pages * PAGE_BYTES };
}

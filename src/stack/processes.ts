import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FORCE_AFTER_MS = 15_000;
const GIVE_UP_AFTER_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** A process, with what tells it from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, in a form that serves only to compare. */
  readonly started: string;
}

/** Tells whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // With this code, the process exists and belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process with this id, or `undefined` when none runs. One that has ended and waits to be reaped does not run. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const found = await look(pid);
  return found && { pid, started: found.started };
}

/** Tells whether that very process runs. `frozen`: a signal or a debugger has stopped it, so that it answers nobody. */
export async function standOf({ pid, started }: ProcessIdentity): Promise<'running' | 'frozen' | 'ended'> {
  const found = await look(pid);
  if (found?.started !== started) return 'ended';
  return found.state.toUpperCase().startsWith('T') ? 'frozen' : 'running';
}

/** Tells whether that very process still runs. */
export async function isRunning(target: ProcessIdentity): Promise<boolean> {
  return (await standOf(target)) !== 'ended';
}

/**
 * Ends a process, by force when it has not ended after 15 s. Does nothing when it does not run.
 * @throws when it cannot be ended
 */
export async function endProcess(target: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  const startedAt = Date.now();
  let next: NodeJS.Signals | undefined = signal;
  while (await isRunning(target)) {
    const waited = Date.now() - startedAt;
    if (waited > GIVE_UP_AFTER_MS) {
      throw new Error(`Process ${target.pid} does not end, not even by force. End it by hand, then try again.`);
    }
    if (next === signal || (next === 'SIGKILL' && waited > FORCE_AFTER_MS)) {
      send(target.pid, next);
      next = next === 'SIGKILL' ? undefined : 'SIGKILL';
    }
    await delay(LOOK_EVERY_MS);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // It ended between the look and the signal.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Reads the command line of a process; empty when it has ended. */
export async function commandOf(pid: number): Promise<string> {
  // A spawn costs tens of milliseconds in a large process, and the resource host asks this for each of its servers.
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return run('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/** A process as the system shows it. */
interface Seen {
  readonly started: string;
  /** Its state in a letter; `T` is one that is stopped. */
  readonly state: string;
}

async function look(pid: number): Promise<Seen | undefined> {
  return process.platform === 'linux' ? lookOnLinux(pid) : lookByPs(pid);
}

/** `started` is the boot, and the clock ticks from it to the start. Setting the clock does not change them. See proc(5), `stat`. */
async function lookOnLinux(pid: number): Promise<Seen | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field, the name, may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', ticks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return undefined;
  return { state, started: `${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}/${ticks}` };
}

async function lookByPs(pid: number): Promise<Seen | undefined> {
  const line = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const [state, ...started] = line.split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : { state, started: started.join(' ') };
}

import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  ensurePostgres,
  removePostgres,
  runningPid,
  stopPostgres,
  type RunningPostgres,
} from '../../src/stack/postgres.js';

const run = promisify(execFile);

/** As the stack sets it for replicas; and what was lost is sought again sooner than in production, so that nobody waits. */
const SETTINGS = `
wal_level = logical
wal_retrieve_retry_interval = 500ms
log_statement = all
`;

/** A PostgreSQL that is killed with all its processes at once, as when its machine fails, and started again. */
export class MortalServer {
  readonly folder: string;
  #running: RunningPostgres | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts it, also after it was killed. */
  async start(): Promise<void> {
    this.#running = await ensurePostgres(this.folder, { settings: SETTINGS });
  }

  async stop(): Promise<void> {
    await stopPostgres(this.folder);
  }

  async remove(): Promise<void> {
    await removePostgres(this.folder);
  }

  /** The address of one of its databases, which need not be there. */
  url(database: string): string {
    if (!this.#running) throw new Error('The server was never started.');
    return this.#running.url(database);
  }

  get password(): string {
    return this.#running?.password ?? '';
  }

  /** Reads what it has written to its log. */
  log(): Promise<string> {
    return readFile(join(this.folder, 'log'), 'utf8');
  }

  /** Restarts it with another setting. */
  async set(setting: string): Promise<void> {
    await this.stop();
    await appendFile(join(this.folder, 'data', 'postgresql.auto.conf'), `${setting}\n`);
    await this.start();
  }

  /** Kills all its processes with SIGKILL, and waits until none is left. */
  async kill(): Promise<void> {
    const postmaster = await runningPid(this.folder);
    if (postmaster === undefined) return;
    const ours = [postmaster, ...(await childrenOf(postmaster))];
    for (const pid of ours) killIfThere(pid);
    while (await anyRuns(ours)) await delay(20);
  }
}

async function processes(): Promise<
  readonly { readonly pid: number; readonly parent: number; readonly state: string }[]
> {
  const { stdout } = await run('ps', ['-e', '-o', 'pid=,ppid=,stat=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    return pid && parent && state ? [{ pid: Number(pid), parent: Number(parent), state }] : [];
  });
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  return (await processes()).filter(({ parent }) => parent === pid).map((each) => each.pid);
}

/** One that nobody has waited for yet holds nothing any more. */
async function anyRuns(pids: readonly number[]): Promise<boolean> {
  return (await processes()).some(({ pid, state }) => pids.includes(pid) && !state.startsWith('Z'));
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from './database-user.js';
import { commandLine } from './processes.js';

const LEASH = fileURLToPath(new URL('./leash.js', import.meta.url));
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STABLE_AFTER_MS = 10_000;
const STALE_ENDS_WITHIN_MS = 15_000;

export interface KeptProcessOptions extends Command {
  readonly name: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Start it again when it ends by itself. Default true. */
  readonly restart?: boolean;
  readonly stopSignal?: NodeJS.Signals;
  /** It ended by itself; with `restart` it is started again. */
  readonly onExit?: (code: number | null) => void;
}

/**
 * A child process that is kept running, and that ends with us, also when we are killed. What it prints goes to
 * `log/<name>.log` in the data folder, its process id to `run/<name>.pid`.
 */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  #leash: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;
  #delayMs = FIRST_DELAY_MS;

  private constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  static async start(options: KeptProcessOptions): Promise<KeptProcess> {
    await endStale(options);
    const kept = new KeptProcess(options);
    kept.#start();
    return kept;
  }

  get logFile(): string {
    return join(this.#options.home, 'log', `${this.#options.name}.log`);
  }

  /** It runs, or will be started again. */
  get isKept(): boolean {
    return !this.#stopping && (this.#leash !== undefined || this.#options.restart !== false);
  }

  /** Of the command, not of the leash. */
  async pid(): Promise<number | undefined> {
    const pid = Number(await readFile(pidFile(this.#options), 'utf8').catch(() => ''));
    return pid || undefined;
  }

  /** Stops the process gracefully, and by force when it does not end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#leash?.stdin?.end();
    await this.#ended;
  }

  #start(): void {
    const { command, args, env, stopSignal = 'SIGTERM', restart = true, onExit } = this.#options;
    const log = openSync(this.logFile, 'a');
    const startedAt = Date.now();
    const leash = spawn(process.execPath, [LEASH, pidFile(this.#options), stopSignal, command, ...args], {
      stdio: ['pipe', log, log],
      env: { ...process.env, ...env },
      // A group of its own: Ctrl-C on the terminal reaches us, and we decide on the order.
      detached: true,
    });
    closeSync(log);
    leash.stdin?.on('error', () => undefined);
    this.#leash = leash;
    this.#ended = new Promise<void>((resolve) => {
      leash.once('exit', (code) => {
        this.#leash = undefined;
        resolve();
        if (this.#stopping) return;
        onExit?.(code);
        if (restart) void this.#startAgain(Date.now() - startedAt);
      });
    });
  }

  async #startAgain(livedMs: number): Promise<void> {
    if (livedMs > STABLE_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
    await delay(this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
    if (this.#stopping) return;
    await endStale(this.#options);
    this.#start();
  }
}

/** Ends what an earlier stack has left behind when its leash was killed too. */
async function endStale(options: KeptProcessOptions): Promise<void> {
  const file = pidFile(options);
  const pid = Number(await readFile(file, 'utf8').catch(() => ''));
  const running = pid ? await commandLine(pid) : undefined;
  // The id may belong to another program by now.
  if (running && options.args.every((arg) => running.includes(arg))) {
    process.kill(pid, options.stopSignal ?? 'SIGTERM');
    const until = Date.now() + STALE_ENDS_WITHIN_MS;
    while (await commandLine(pid)) {
      if (Date.now() > until) process.kill(pid, 'SIGKILL');
      await delay(50);
    }
  }
  await rm(file, { force: true });
}

function pidFile({ home, name }: KeptProcessOptions): string {
  return join(home, 'run', `${name}.pid`);
}

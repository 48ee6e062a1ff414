import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from './database-user.js';
import { endRecorded, recordedPid, type StopSignal } from './process-record.js';

/** The compiled script: beside this file, or in the build when this file runs from the sources. */
export const LEASH = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/stack/leash.js' : './leash.js', import.meta.url),
);
/** What a leash ends with when a signal has ended the command. */
const KILLED = 128;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STABLE_AFTER_MS = 10_000;

export interface KeptProcessOptions extends Command {
  readonly name: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Start it again when it ends by itself, after 0.2 s, growing to 5 s. Default true. */
  readonly restart?: boolean;
  readonly stopSignal?: StopSignal;
  /** It ended by itself; with `restart` it is started again. 127: the command could not be started. `null`: killed. */
  readonly onExit?: (code: number | null) => void;
}

/**
 * A child process that is kept running, and that ends with us, also when we are killed. What it prints goes to
 * `log/<name>.log` in the data folder, its process id to `run/<name>.pid`.
 */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;
  #leash: ChildProcess | undefined;

  private constructor(options: KeptProcessOptions) {
    this.#options = options;
    this.#kept = this.#keep();
  }

  /** Starts it, after one of the same name that an earlier stack has left behind has been ended. */
  static async start(options: KeptProcessOptions): Promise<KeptProcess> {
    await endRecorded(options);
    return new KeptProcess(options);
  }

  get logFile(): string {
    return join(this.#options.home, 'log', `${this.#options.name}.log`);
  }

  /** Of the command, not of the leash. `undefined` while it does not run. */
  async pid(): Promise<number | undefined> {
    return recordedPid(this.#options);
  }

  /** Stops the process gracefully, and by force when it does not end within 10 s. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#leash?.stdin?.end();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { restart = true, onExit } = this.#options;
    const { signal } = this.#stopping;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      const startedAt = Date.now();
      const code = await this.#run();
      // The leash itself may have been killed; what it held must not go on beside its successor.
      await endRecorded(this.#options);
      if (signal.aborted) return;
      onExit?.(code);
      if (!restart) return;
      if (Date.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  /** Runs the command once, to its end. */
  #run(): Promise<number | null> {
    const { home, name, command, args, env, stopSignal = 'SIGTERM' } = this.#options;
    const log = openSync(this.logFile, 'a', 0o600);
    const leash = spawn(process.execPath, [LEASH, home, name, stopSignal, command, ...args], {
      stdio: ['pipe', log, log],
      env: { ...process.env, ...env },
      // A group of its own: Ctrl-C on the terminal reaches us, and we decide on the order.
      detached: true,
    });
    closeSync(log);
    // Closing the pipe of a leash that has just ended is no error.
    leash.stdin?.on('error', () => undefined);
    this.#leash = leash;
    return new Promise((resolve) => {
      leash.once('error', () => resolve(null));
      leash.once('exit', (code) => resolve(code === KILLED ? null : code));
    }).then((code) => {
      this.#leash = undefined;
      return code as number | null;
    });
  }
}

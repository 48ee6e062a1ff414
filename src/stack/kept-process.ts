import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOG_FILE_BYTES } from '../definition/limits.js';
import { messageOf } from '../definition/thrown.js';
import type { Command } from './database-user.js';
import { rotateLog } from './log-file.js';
import { endRecorded, recordedPid, type StopSignal } from './process-record.js';

/** The path of the compiled script: beside this file, or in the build when this file runs from the sources. */
export const LEASH = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/stack/leash.js' : './leash.js', import.meta.url),
);
/** The exit code of a leash when a signal has ended the command. */
const KILLED = 128;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STABLE_AFTER_MS = 10_000;
const LOG_LOOK_MS = 10_000;
/** How long a process may take to end after its signal, in milliseconds, unless it needs longer. */
export const ENDS_WITHIN_MS = 10_000;

export interface KeptProcessOptions extends Command {
  readonly name: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Tells whether it is started again when it ends by itself, after a pause of 0.2 s that grows to 5 s. Default true. */
  readonly restart?: boolean;
  /** How large its log may grow, in bytes; default `LOG_FILE_BYTES`. It is looked at each so many milliseconds. */
  readonly log?: { readonly bytes: number; readonly everyMs: number };
  readonly stopSignal?: StopSignal;
  /** How long it may take to end after that signal, before it is ended by force, in milliseconds. Default 10 s. */
  readonly endsWithinMs?: number;
  /**
   * Is called when it has ended by itself, before it is started again with `restart`. The code is 127 where the command could
   * not be started, and `null` where a signal has ended it.
   */
  readonly onExit?: (code: number | null) => void;
}

/**
 * A child process that is kept running, and that ends with us, even when we are killed. Its output goes to `log/<name>.log` in
 * the data directory, and its process id to `run/<name>.pid`. A log that has become large is put aside as `log/<name>.log.1`.
 */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;
  #leash: ChildProcess | undefined;

  private constructor(options: KeptProcessOptions) {
    this.#options = options;
    this.#kept = this.#keep();
    void this.#keepLogSmall();
  }

  /** Starts it. A process of the same name that an earlier stack has left behind is ended first. */
  static async start(options: KeptProcessOptions): Promise<KeptProcess> {
    await endRecorded(options);
    return new KeptProcess(options);
  }

  get logFile(): string {
    return join(this.#options.home, 'log', `${this.#options.name}.log`);
  }

  /** The process id of the command, not of the leash; `undefined` while it does not run. */
  async pid(): Promise<number | undefined> {
    return recordedPid(this.#options);
  }

  /** Asks the process to end, and ends it by force when it has not ended in time. */
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
      // The leash itself may have been killed. Its command must not go on beside the next one.
      await endRecorded(this.#options);
      if (signal.aborted) return;
      onExit?.(code);
      if (!restart) return;
      if (Date.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  async #keepLogSmall(): Promise<void> {
    const { bytes, everyMs } = this.#options.log ?? { bytes: LOG_FILE_BYTES, everyMs: LOG_LOOK_MS };
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await rotateLog(this.logFile, bytes).catch((thrown: unknown) => this.#note(thrown));
    }
  }

  /** A full disk must not end the stack. The log itself says why it is not put aside. */
  async #note(thrown: unknown): Promise<void> {
    await appendFile(this.logFile, `This log cannot be put aside: ${messageOf(thrown)}\n`).catch(() => undefined);
  }

  /** Runs the command once, to its end. */
  #run(): Promise<number | null> {
    const { home, name, command, args, env, stopSignal = 'SIGTERM', endsWithinMs = ENDS_WITHIN_MS } = this.#options;
    const log = openSync(this.logFile, 'a', 0o600);
    const leash = spawn(process.execPath, [LEASH, home, name, stopSignal, String(endsWithinMs), command, ...args], {
      stdio: ['pipe', log, log],
      env: { ...process.env, ...env },
      // The leash is in a group of its own, so that Ctrl-C on the terminal reaches only us, and we decide on the order.
      detached: true,
    });
    closeSync(log);
    // Closing the pipe of a leash that has just ended is not an error.
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

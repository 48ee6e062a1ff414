import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WorkerVersion } from '../../src/temporal/worker-version.js';

export interface WorkerSettings {
  readonly address: string;
  /** The path of the bundle. */
  readonly bundle: string;
  readonly databaseUrl: string;
  /** The keys of the addresses at which calls are answered later. */
  readonly callbackKeys: string;
  /** The URL of the resources. */
  readonly outside: string;
  /** How many entities and operations stay in memory when they rest. */
  readonly maxCached?: number;
  /** Which build it says that it runs. */
  readonly version?: WorkerVersion;
}

const SCRIPT = fileURLToPath(new URL('worker.js', import.meta.url));

/** Workers that come and go, each in a process of its own. */
export class WorkerProcesses {
  readonly #settings: WorkerSettings;
  readonly #log: (text: string) => void;
  readonly #processes: ChildProcess[] = [];
  #ended = 0;
  #lost = 0;

  constructor(settings: WorkerSettings, log: (text: string) => void) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The number of workers that were ended so far. */
  get ended(): number {
    return this.#ended;
  }

  /** The number of workers that ended by themselves and were replaced: see `core-defects.ts`. */
  get lost(): number {
    return this.#lost;
  }

  /** Starts a worker. It takes work a moment after this ends. */
  async start(maxCached?: number): Promise<void> {
    const settings: WorkerSettings = { ...this.#settings, ...(maxCached !== undefined && { maxCached }) };
    const process = fork(SCRIPT, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#processes.push(process);
    process.stdout?.on('data', (data) => this.#log(String(data)));
    process.stderr?.on('data', (data) => this.#log(String(data)));
    process.once('exit', () => {
      const place = this.#processes.indexOf(process);
      if (place < 0) return;
      this.#processes.splice(place, 1);
      this.#lost++;
      void this.start(maxCached);
    });
    await Promise.race([once(process, 'message'), once(process, 'exit')]);
  }

  /** Ends all workers, each as `endOldest` does. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    while (this.#processes.length > 0) await this.endOldest(signal);
  }

  /** Ends the oldest worker. With SIGTERM it finishes what it has begun, and with SIGKILL it does nothing more. */
  async endOldest(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const process = this.#processes.shift();
    if (!process) return;
    this.#ended++;
    const exited = process.exitCode === null && process.signalCode === null ? once(process, 'exit') : undefined;
    process.kill(signal);
    await exited;
  }
}

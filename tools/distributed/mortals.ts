import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProcessSettings } from './settings.js';

const SCRIPT = fileURLToPath(new URL('mortal.js', import.meta.url));

/** Processes that are ended and started again, by their names. */
export class Mortals {
  readonly #report: (text: string) => void;
  readonly #processes = new Map<string, ChildProcess>();
  ended = 0;

  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  /** Starts a process. It takes work a moment after this ends. One that ends by itself is started again. */
  async start(name: string, settings: ProcessSettings): Promise<void> {
    const process = fork(SCRIPT, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#processes.set(name, process);
    for (const output of [process.stdout, process.stderr])
      output?.on('data', (data) => this.#report(`${name}: ${data}`));
    process.once('exit', (code) => {
      if (this.#processes.get(name) !== process) return;
      this.#report(`${name} has ended by itself (${code ?? 'killed'}), and is started again`);
      void this.start(name, settings);
    });
    await Promise.race([once(process, 'message'), once(process, 'exit')]);
  }

  async end(name: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const process = this.#processes.get(name);
    this.#processes.delete(name);
    if (!process) return;
    this.ended++;
    const exited = process.exitCode === null && process.signalCode === null ? once(process, 'exit') : undefined;
    process.kill(signal);
    await exited;
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.end(name, 'SIGKILL')));
  }
}

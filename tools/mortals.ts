import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Processes that are ended and started again, by their names. Each runs the script, with settings of its own. */
export class Mortals<Settings> {
  readonly #script: string;
  readonly #report: (text: string) => void;
  readonly #processes = new Map<string, ChildProcess>();
  ended = 0;

  constructor(script: URL, report: (text: string) => void) {
    this.#script = fileURLToPath(script);
    this.#report = report;
  }

  /** Starts a process. It takes work a moment after this ends. One that ends by itself is started again. */
  async start(name: string, settings: Settings): Promise<void> {
    const process = fork(this.#script, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
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

  /** Lets a process stand still for a while, as on a machine that has too much to do: what it holds is late, and not lost. */
  async freeze(name: string, ms: number): Promise<void> {
    const process = this.#processes.get(name);
    process?.kill('SIGSTOP');
    await delay(ms);
    process?.kill('SIGCONT');
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.end(name, 'SIGKILL')));
  }
}

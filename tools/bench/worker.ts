import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ThreadProfile, WorkerAnswer, WorkerRequest, WorkerSetting } from './worker-messages.js';

const SCRIPT = fileURLToPath(new URL('./worker-process.js', import.meta.url));

type Said<Name extends WorkerAnswer['said']> = Extract<WorkerAnswer, { said: Name }>;

/** A worker in a process of its own, so that its use of CPU and memory can be told from that of its callers. */
export class BenchWorker {
  readonly #setting: WorkerSetting;
  #process: ChildProcess | undefined;
  /** The tokens of the answers that were asked for outside, and that nobody has taken yet. */
  readonly asked: string[] = [];

  constructor(setting: WorkerSetting) {
    this.#setting = setting;
  }

  /** Starts the worker. Ends when it polls. `maxCached`: another one than it was set to. */
  async start(maxCached?: number): Promise<void> {
    const setting = { ...this.#setting, ...(maxCached !== undefined && { maxCached }) };
    this.#process = fork(SCRIPT, [JSON.stringify(setting)], { stdio: 'inherit' });
    this.#process.on('message', (answer: WorkerAnswer) => {
      if (answer.said === 'asked') this.asked.push(answer.token);
    });
    await hear(this.#process, 'ready');
  }

  /** The CPU time of all its threads since it began, in milliseconds. */
  async cpuMs(): Promise<number> {
    return (await this.#ask('cpu', 'cpu')).milliseconds;
  }

  /** Its memory in bytes, after garbage was collected. */
  memory(): Promise<Said<'memory'>> {
    return this.#ask('memory', 'memory');
  }

  held(): Promise<Said<'held'>> {
    return this.#ask('held', 'held');
  }

  async startProfile(): Promise<void> {
    await this.#ask('profile', 'profiling');
  }

  async endProfile(): Promise<readonly ThreadProfile[]> {
    return (await this.#ask('end-profile', 'profile')).threads;
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.send({ ask: 'stop' } satisfies WorkerRequest);
    await ended;
  }

  async #ask<Name extends WorkerAnswer['said']>(ask: WorkerRequest['ask'], said: Name): Promise<Said<Name>> {
    if (!this.#process) throw new Error('The worker was not started.');
    const answer = hear(this.#process, said);
    this.#process.send({ ask } satisfies WorkerRequest);
    return answer;
  }
}

function hear<Name extends WorkerAnswer['said']>(running: ChildProcess, said: Name): Promise<Said<Name>> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => reject(new Error(`The worker ended with ${code ?? 'a signal'}.`));
    const listen = (answer: WorkerAnswer) => {
      if (answer.said !== said) return;
      running.off('message', listen).off('exit', died);
      resolve(answer as Said<Name>);
    };
    running.on('message', listen).once('exit', died);
  });
}

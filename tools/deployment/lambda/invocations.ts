import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { builtFile } from '../../../src/project/built-file.js';

const INVOCATION = builtFile('src/project/invocation.js');

/** How long a process may take to load its code, which is not counted as a part of the invocation. */
const STARTS_WITHIN_MS = 60_000;

export interface InvocationSettings {
  /** The module that exports the handler. */
  readonly handler: string;
  /** The time-out of the function, in milliseconds. */
  readonly timeoutMs: number;
  /** The reserved concurrency of the function: what comes beyond it waits, as events do. */
  readonly atOnce: number;
  /** How long an event may wait for its invocation, in milliseconds; then it is dropped. */
  readonly eventAgeMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Which invocations are cut off, and after how many milliseconds: told by the number of the invocation, from 1. */
  readonly cutOff: (number: number) => number | undefined;
}

/** How the invocations have ended until now. */
export interface InvocationCounts {
  begun: number;
  /** By themselves, without an error. */
  ended: number;
  /** By SIGKILL in the middle. */
  cutOff: number;
  /** By SIGKILL at the time-out of the function: the handler has not followed its clock. */
  timedOut: number;
  failed: number;
  /** Events that came while as many ran as may run at once. They were begun later, or were not needed any more. */
  waited: number;
}

/** Runs invocations as the platform does: each in a process of its own, ended by force at the time-out of the function. */
export class Invocations {
  readonly counts: InvocationCounts = { begun: 0, ended: 0, cutOff: 0, timedOut: 0, failed: 0, waited: 0 };
  /** When the first one was begun, in milliseconds since 1970. */
  firstAt: number | undefined;
  readonly #settings: InvocationSettings;
  readonly #running = new Set<ChildProcess>();
  readonly #waiting: { readonly since: number; readonly begin: () => void }[] = [];
  #isStopped = false;

  constructor(settings: InvocationSettings) {
    this.#settings = settings;
  }

  start(arn: string, requestId: string): void {
    this.#waiting.push({ since: Date.now(), begin: () => this.#begin(arn, requestId) });
    if (this.#running.size >= this.#settings.atOnce) this.counts.waited++;
    this.#beginNext();
  }

  #beginNext(): void {
    while (!this.#isStopped && this.#running.size < this.#settings.atOnce) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (Date.now() - next.since < this.#settings.eventAgeMs) next.begin();
    }
  }

  #begin(arn: string, requestId: string): void {
    const { handler, timeoutMs, env, logFile, cutOff } = this.#settings;
    this.firstAt ??= Date.now();
    const number = ++this.counts.begun;
    const args = [INVOCATION, handler, requestId, arn, String(timeoutMs)];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const log = createWriteStream(logFile, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
    this.#running.add(child);
    let end: 'cutOff' | 'timedOut' | undefined;
    const kill = (how: typeof end) => () => {
      end ??= how;
      child.kill('SIGKILL');
    };
    const timers = [setTimeout(kill('timedOut'), timeoutMs + STARTS_WITHIN_MS)];
    child.once('message', () => timers.push(setTimeout(kill('timedOut'), timeoutMs)));
    const early = cutOff(number);
    if (early !== undefined) timers.push(setTimeout(kill('cutOff'), early));
    child.once('exit', (code) => {
      timers.forEach(clearTimeout);
      this.#running.delete(child);
      log.end();
      if (!this.#isStopped) this.counts[end ?? (code === 0 ? 'ended' : 'failed')]++;
      this.#beginNext();
    });
  }

  /** How many run now. */
  get running(): number {
    return this.#running.size;
  }

  /** Ends all that runs, and begins none any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const ends = [...this.#running].map((child) => once(child, 'exit'));
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all(ends);
  }
}

import { Session } from 'node:inspector/promises';
import type { NodeWorker, Profiler } from 'node:inspector';
import type { ThreadProfile } from './worker-messages.js';

type Post = (method: string, params?: object) => Promise<unknown>;

/** The time between two samples of a profile, in microseconds. */
const SAMPLE_EVERY_US = 500;

/** Looks into all threads of this process, since a worker runs workflow code in threads of its own. */
export class Inspection {
  readonly #main = new Session();
  readonly #threads = new Map<string, Post>();
  readonly #opened: Promise<void>;

  constructor() {
    this.#opened = this.#open();
  }

  /** Collects garbage. Gives the bytes that JavaScript objects take in all threads. */
  async collectGarbage(): Promise<number> {
    const used = await this.#each(async (post) => {
      await post('HeapProfiler.collectGarbage');
      return ((await post('Runtime.getHeapUsage')) as { readonly usedSize: number }).usedSize;
    });
    return used.reduce((sum, { value }) => sum + value, 0);
  }

  async startProfile(): Promise<void> {
    await this.#each(async (post) => {
      await post('Profiler.enable');
      await post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
      await post('Profiler.start');
    });
  }

  async endProfile(): Promise<readonly ThreadProfile[]> {
    const ended = await this.#each(async (post) => (await post('Profiler.stop')) as Profiler.StopReturnType);
    return ended.map(({ thread, value: { profile } }) => ({ thread, profile }));
  }

  async #each<T>(work: (post: Post) => Promise<T>): Promise<readonly { readonly thread: string; readonly value: T }[]> {
    await this.#opened;
    const of = async (thread: string, post: Post) => ({ thread, value: await work(post) });
    const main: Post = (method, params) => this.#main.post(method, params);
    return Promise.all([of('main', main), ...[...this.#threads].map(([thread, post]) => of(thread, post))]);
  }

  async #open(): Promise<void> {
    this.#main.connect();
    const answers = new Map<number, { resolve: (result: unknown) => void; reject: (reason: Error) => void }>();
    let last = 0;
    this.#main.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      this.#threads.set(`workflows-${workerInfo.workerId}`, (method, params) => {
        const id = ++last;
        const message = JSON.stringify({ id, method, params });
        return new Promise((resolve, reject) => {
          answers.set(id, { resolve, reject });
          this.#main.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject);
        });
      });
    });
    this.#main.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const { id, result, error } = JSON.parse(params.message) as ThreadAnswer;
      const waiting = id === undefined ? undefined : answers.get(id);
      if (id === undefined || !waiting) return;
      answers.delete(id);
      if (error) waiting.reject(new Error(error.message));
      else waiting.resolve(result);
    });
    const all: NodeWorker.EnableParameterType = { waitForDebuggerOnStart: false };
    await this.#main.post('NodeWorker.enable', all);
  }
}

interface ThreadAnswer {
  /** The id of the question; none where a thread speaks unasked. */
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { ReeveClient } from '../../src/client/client.js';
import { patiently } from '../replay/patience.js';
import { Canary } from './definitions.js';

const EVERY_MS = 200;

/** Raises an event on a healthy entity again and again, and knows how long that took. */
export class Heartbeat {
  readonly #reeve: ReeveClient;
  readonly #key: string;
  readonly #ended = new AbortController();
  #longest = 0;
  #begun: number | undefined;

  constructor(reeve: ReeveClient, key: string) {
    this.#reeve = reeve;
    this.#key = key;
  }

  /** Beats until it is ended. */
  async run(): Promise<void> {
    const { signal } = this.#ended;
    await patiently('create', () => this.#reeve.create(Canary, this.#key, 'create'));
    while (!signal.aborted) {
      this.#begun = performance.now();
      await patiently('beat', () => this.#reeve.raise(Canary, this.#key, 'beat'));
      this.#note();
      this.#begun = undefined;
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** How long a beat took at most since the last time, or takes already, in milliseconds. What was told is not told again. */
  take(): number {
    this.#note();
    const longest = this.#longest;
    this.#longest = 0;
    if (this.#begun !== undefined) this.#begun = performance.now();
    return longest;
  }

  end(): void {
    this.#ended.abort();
  }

  #note(): void {
    if (this.#begun !== undefined) this.#longest = Math.max(this.#longest, performance.now() - this.#begun);
  }
}

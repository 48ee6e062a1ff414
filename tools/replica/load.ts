import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreAway, type Store } from '../../src/store/index.js';
import { past } from '../store/past.js';

const PAUSE_MS = 20;
const AGAIN_AFTER_MS = 200;

/** Writes to a store all the time what entities and the service tell: new rows, changed ones and some that are deleted. */
export class Load {
  readonly #store: Store;
  readonly #working: Promise<void>;
  #stopped = false;
  #kept = 0;
  #operations: string[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.#working = this.#work();
  }

  /** How many records the store has promised to keep. */
  get kept(): number {
    return this.#kept;
  }

  /** The operations among them. */
  get operations(): readonly string[] {
    return this.#operations;
  }

  /** Ends when what was begun is kept, or once the store takes nothing. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    const until = Date.now();
    for (const records of past({ entities: 100_000, transitions: 1_000_000, days: 100, until })) {
      if (this.#stopped) return;
      const { writer } = this.#store;
      // Records that are offered may be lost with a crash, and come again.
      writer.offer(records);
      const now = Date.now();
      const kept =
        (await this.#patiently(() => writer.keep(records))) &&
        (await this.#patiently(() =>
          writer.audit([
            { id: randomUUID(), at: now, subject: 'load', roles: [], action: 'write', decision: 'allowed' },
          ]),
        )) &&
        (await this.#patiently(() => writer.noteFirstResponse(randomUUID(), now, { type: 'Box', key: 'load' })));
      if (!kept) return;
      this.#kept += records.length;
      this.#operations.push(...records.flatMap((record) => (record.kind === 'operation' ? [record.id] : [])));
      await delay(PAUSE_MS);
    }
  }

  /** Tells whether the store has taken it. Nothing is given up while it is away, until the load is stopped. */
  async #patiently(write: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await write();
        return true;
      } catch (thrown) {
        if (!(thrown instanceof StoreAway)) throw thrown;
        if (this.#stopped) return false;
      }
      await delay(AGAIN_AFTER_MS);
    }
  }
}

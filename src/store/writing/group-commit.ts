import { StoreAway, type Availability } from './availability.js';
import { within } from './time-limit.js';

interface Waiting<T> {
  readonly items: readonly T[];
  readonly done: (failure?: Error) => void;
}

/** The most items of a group. */
const GROUP = 4_000;

/** Writes together what several callers bring at the same time. Each caller goes on when its items are written for good. */
export class GroupCommit<T> {
  #waiting: Waiting<T>[] = [];
  #running = Promise.resolve();
  #active = false;
  #written = 0;

  constructor(
    readonly availability: Availability,
    readonly write: (items: readonly T[]) => Promise<void>,
    /** How long a caller waits at most, in milliseconds. Its items may still be written after that. */
    readonly withinMs: number,
  ) {}

  /** The number of items that were written. */
  get written(): number {
    return this.#written;
  }

  /** Writes items. @throws StoreAway when they are not known to be written in time */
  async add(items: readonly T[]): Promise<void> {
    if (items.length === 0) return;
    this.availability.check();
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ items, done: (failure) => (failure ? reject(failure) : resolve()) });
      if (this.#active) return;
      this.#active = true;
      this.#running = this.#run();
    });
    await within(this.withinMs, written);
  }

  async close(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        this.availability.check();
        const items = group.flatMap((waiting) => waiting.items);
        await this.write(items);
        this.#written += items.length;
        for (const { done } of group) done();
      } catch (thrown) {
        const failure = thrown instanceof StoreAway ? thrown : new StoreAway(String(thrown));
        for (const { done } of group) done(failure);
      }
    }
    this.#active = false;
  }

  #takeGroup(): readonly Waiting<T>[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ items }, index) => (size += items.length) > GROUP && index > 0);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

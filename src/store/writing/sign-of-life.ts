import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TABLES } from '../names.js';

/** How often a writer shows that it lives, in milliseconds. */
const BEAT_MS = 5_000;

const BEAT = `insert into ${TABLES}.writers as old (writer, seen_at) values ($1, clock_timestamp())
  on conflict (writer) do update set seen_at = excluded.seen_at`;
const LEAVE = `delete from ${TABLES}.writers where writer = $1`;

/** Runs a statement within a set time, and tells people when the database is unavailable. */
type Write = (statement: { readonly text: string; readonly values: unknown[] }) => Promise<unknown>;

/**
 * The sign that a writer lives: a row with the time of its last sign. It takes the row away when it ends, so a row that has become
 * old is that of a process which has died. S5.1
 */
export class SignOfLife {
  readonly writer = randomUUID();
  readonly #write: Write;
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  /** Tells whether the last sign was written. */
  #isGiven = false;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Begins to give it, where it has not begun yet. */
  begin(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      this.#isGiven = await this.#try(BEAT);
      await delay(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Takes it away. While the database is unavailable it stays, and the writer counts as one that has died. */
  async end(): Promise<void> {
    if (!this.#running) return;
    this.#ended.abort();
    await this.#running;
    if (this.#isGiven) await this.#try(LEAVE);
  }

  /** A sign that fails is told by `write`, and the next one comes soon. */
  async #try(text: string): Promise<boolean> {
    return this.#write({ text, values: [this.writer] }).then(
      () => true,
      () => false,
    );
  }
}

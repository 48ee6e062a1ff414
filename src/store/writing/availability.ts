/** Thrown when PostgreSQL cannot be written to now. The caller has to bring the records again later. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';

  constructor(reason: string) {
    super(`The store cannot be written to: ${reason}. Entities keep their records, and write them later.`);
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Tells whether PostgreSQL is known to be away. After each failure there is a pause before the next try, longer each time. */
export class Availability {
  #reason: string | undefined;
  #pauseMs = 0;
  #until = 0;

  /** Why PostgreSQL is unavailable; nothing while it works, as far as is known. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** How long the pause before the next try still is, in milliseconds. */
  get pauseMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  /** @throws StoreAway during a pause */
  check(): void {
    if (this.#reason !== undefined && this.pauseMs > 0) throw new StoreAway(this.#reason);
  }

  worked(): void {
    this.#reason = undefined;
    this.#pauseMs = 0;
    this.#until = 0;
  }

  failed(reason: string): void {
    // Failures of tries at the same time count once.
    if (this.#reason !== undefined && this.pauseMs > 0) return;
    this.#reason = reason;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs === 0 ? FIRST_PAUSE_MS : this.#pauseMs * 2);
    this.#until = Date.now() + this.#pauseMs;
  }
}

import { CancellationScope, condition, sleep, workflowInfo } from '@temporalio/workflow';

/** The server lets the successor of a younger run wait for the rest of this time. */
export const YOUNGEST_RUN_MS = 1_000;
/** What a run has that has only taken over from another one. In a longer one, actions may have run. */
const UNTOUCHED_HISTORY = 5;

/**
 * Notices that an entity has been at rest for a while. It then goes on in a new run: a resting entity has a short
 * history and carries no code of old actions, so that a worker with other ones takes it over without replay.
 * One timer serves many events: it is renewed when it ends, not when an event comes.
 */
export class RestWatch {
  readonly #restAfterMs: number;
  #resting = false;
  #since = 0;
  #over = false;

  constructor(restAfterMs: number) {
    this.#restAfterMs = restAfterMs;
    // A cancelled entity ends by its own decision, not by this.
    void CancellationScope.nonCancellable(() => this.#watch());
  }

  /** It has rested long enough. */
  get over(): boolean {
    return this.#over;
  }

  /** Something has changed just now, and the entity is at rest or not. */
  note(resting: boolean): void {
    this.#resting = resting;
    this.#since = Date.now();
  }

  async #watch(): Promise<void> {
    do {
      await condition(() => this.#resting && isTouched());
      await sleep(Math.max(this.#restsAt, workflowInfo().runStartTime.getTime() + YOUNGEST_RUN_MS) - Date.now());
    } while (!this.#resting || this.#restsAt > Date.now());
    this.#over = true;
  }

  get #restsAt(): number {
    return this.#since + this.#restAfterMs;
  }
}

function isTouched(): boolean {
  const { continuedFromExecutionRunId, historyLength } = workflowInfo();
  return continuedFromExecutionRunId === undefined || historyLength > UNTOUCHED_HISTORY;
}

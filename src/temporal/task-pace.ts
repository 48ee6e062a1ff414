import { TASK_BYTES } from '../definition/limits.js';
import { jsonBytes } from '../protocol/size-problem.js';

/** The shortest timer, in milliseconds. */
const BREATH_MS = 1;

/**
 * How much a workflow sends in one task: the service takes no task with more than 4 MB of commands, and the worker would try it for ever.
 * Anything more waits for a timer, which ends the task. Bytes are counted over the whole run, since the core cuts tasks as it likes. L7
 * S1.5a
 */
export class TaskPace {
  readonly #breathe: (ms: number) => Promise<unknown>;
  #sent = 0;
  #turn: Promise<unknown> | undefined;

  /** @param breathe waits by a timer */
  constructor(breathe: (ms: number) => Promise<unknown>) {
    this.#breathe = breathe;
  }

  /** Counts what is sent in any case. */
  add(sent: unknown): void {
    this.#sent += jsonBytes(sent);
  }

  /** Takes room for something; gives what to wait for where the present task has no more. */
  take(sent: unknown): Promise<unknown> | undefined {
    const bytes = jsonBytes(sent);
    const before = this.#turn;
    if (!before && (this.#sent === 0 || this.#sent + bytes <= TASK_BYTES)) {
      this.#sent += bytes;
      return undefined;
    }
    const turn = (async () => {
      await before;
      if (this.#sent > 0 && this.#sent + bytes > TASK_BYTES) {
        await this.#breathe(BREATH_MS);
        this.#sent = 0;
      }
      this.#sent += bytes;
    })();
    this.#turn = turn;
    void turn.finally(() => {
      if (this.#turn === turn) this.#turn = undefined;
    });
    return turn;
  }
}

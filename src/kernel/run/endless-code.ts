/*
 * Ends an action whose code does not end. Nothing in a workflow can interrupt its own code, so a watcher outside does: it ends the
 * thread, and tells the workflow which execution it was. When the task is done again, that execution fails instead of running.
 *
 * endless-code.1. What the watcher tells comes as a signal, so it is the same in each replay. L7
 * endless-code.2. It fails the execution of that name once. Others of the same action run.
 * endless-code.3. Once it has failed, its code gets no answers any more: it would go on where it did not end.
 */
import { Defect } from '../../definition/action-errors.js';
import type { EndlessReason } from '../../protocol/endless-code.js';
import { ENDLESS_CODE } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';

interface Execution {
  readonly name: string;
  end(why: EndlessReason): void;
}

export class EndlessCode {
  readonly #mark: (execution: string) => void;
  /** Those that have not begun (again) in this run since they were told. */
  readonly #told = new Map<string, EndlessReason>();
  #running: Execution | undefined;

  /** @param mark says to the watcher which execution's code runs from now on; an empty name when none does */
  constructor(mark: (execution: string) => void) {
    this.#mark = mark;
  }

  /** The task of another entity may have run in between. */
  markAgain(): void {
    this.#mark(this.#running?.name ?? '');
  }

  /** Notes that an execution did not end. */
  note(execution: string, why: EndlessReason): void {
    if (this.#running?.name === execution) this.#running.end(why);
    else this.#told.set(execution, why);
  }

  /**
   * Runs the code of one execution. It adds no more promises than it must: each costs, in each action.
   * @param silence keeps answers from the code from now on
   * @returns what the code returns; rejects with a Defect when it was told that the code does not end
   */
  run<T>(snapshot: Snapshot, silence: () => void, code: () => T | PromiseLike<T>): Promise<T> {
    const name = executionOf(snapshot);
    const { action } = snapshot.running!;
    const told = this.#told.get(name);
    this.#told.delete(name);
    if (told) return Promise.reject(endless(action, told));
    return new Promise<T>((resolve, reject) => {
      const over = (settle: () => void) => {
        // Code that was told not to end may end after all, while another execution runs.
        if (this.#running !== execution) return;
        this.#running = undefined;
        this.#mark('');
        settle();
      };
      const fail = (thrown: unknown) => over(() => reject(thrown as Error));
      const end = (why: EndlessReason) => {
        silence();
        fail(endless(action, why));
      };
      const execution: Execution = { name, end };
      this.#running = execution;
      this.#mark(name);
      try {
        Promise.resolve(code()).then((returned) => over(() => resolve(returned)), fail);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }
}

/** Names an execution, the same way each time its task is done: times differ. */
function executionOf({ running, version, attempt, engagements }: Snapshot): string {
  const { action, kind, restarts = 0 } = running!;
  const cause = kind === 'event' ? engagements.at(-1)?.id : undefined;
  return [action, `${version}.${attempt}.${restarts}`, ...(cause === undefined ? [] : [cause])].join(' ');
}

function endless(action: string, why: EndlessReason): Defect {
  const what =
    why === 'memory'
      ? `The code of '${action}' used up the memory of its worker's thread. Look for a list that grows without an end`
      : `The code of '${action}' did not end, so its worker's thread was ended. Look for a loop without an end, or one that awaits nothing but settled promises`;
  return new Defect(ENDLESS_CODE, `${what}. Fix it, and start workers with the new build.`);
}

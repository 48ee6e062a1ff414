/*
 * All that a workflow thread says of itself, in memory that it shares with its watcher: it cannot answer while its code runs.
 *
 * marks.1. The turn is odd exactly while code of a workflow runs. It never has the same value again.
 */

import { getHeapStatistics } from 'node:v8';

/** Whose code a thread runs. */
export interface Occupant {
  readonly runId: string;
  /** The execution of an action, as `kernel/run/endless-code.ts` names it; empty where no action's code runs. */
  readonly execution: string;
}

/** The longest name of a run or an execution, in bytes. A longer one is cut, and then fits nothing. */
const LONGEST = 2_048;
/** Used heap, in KiB: a smaller unit would not fit. */
const KIB = 1_024;
const [TURN, RUN_LENGTH, EXECUTION_LENGTH, THREAD, HEAP_USED, HEAP_LIMIT, NUMBERS] = [0, 1, 2, 3, 4, 5, 6];

export class Marks {
  readonly #numbers: Int32Array;
  readonly #run: Buffer;
  readonly #execution: Buffer;

  constructor(readonly memory = new SharedArrayBuffer(NUMBERS * 4 + 2 * LONGEST)) {
    this.#numbers = new Int32Array(memory, 0, NUMBERS);
    this.#run = Buffer.from(memory, NUMBERS * 4, LONGEST);
    this.#execution = Buffer.from(memory, NUMBERS * 4 + LONGEST, LONGEST);
  }

  /** Says once which thread of the process it is, as the system numbers them. */
  introduce(thread: number): void {
    Atomics.store(this.#numbers, THREAD, thread);
  }

  /** Code of this run begins. */
  enter(runId: string): void {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    Atomics.store(this.#numbers, HEAP_USED, Math.floor(used / KIB));
    Atomics.store(this.#numbers, HEAP_LIMIT, Math.floor(limit / KIB));
    Atomics.store(this.#numbers, EXECUTION_LENGTH, 0);
    Atomics.store(this.#numbers, RUN_LENGTH, this.#run.write(runId));
    Atomics.add(this.#numbers, TURN, 1);
  }

  /** The code of the run is an action's; with an empty name, it is not any more. */
  execute(execution: string): void {
    Atomics.store(this.#numbers, EXECUTION_LENGTH, this.#execution.write(execution));
  }

  leave(): void {
    Atomics.add(this.#numbers, TURN, 1);
  }

  /** The system's number of the thread; 0 where it has none. */
  get thread(): number {
    return Atomics.load(this.#numbers, THREAD);
  }

  /** Tells whether most of the memory was free when this turn began. */
  get beganFree(): boolean {
    return Atomics.load(this.#numbers, HEAP_USED) < Atomics.load(this.#numbers, HEAP_LIMIT) / 2;
  }

  /** Which turn it is; 0 where no code runs. marks.1 */
  get turn(): number {
    const turn = Atomics.load(this.#numbers, TURN);
    return turn % 2 === 0 ? 0 : turn;
  }

  /** Whose code runs. It is right while the turn stays the same. */
  get occupant(): Occupant {
    const text = (from: Buffer, length: number) => from.toString('utf8', 0, Atomics.load(this.#numbers, length));
    return { runId: text(this.#run, RUN_LENGTH), execution: text(this.#execution, EXECUTION_LENGTH) };
  }
}

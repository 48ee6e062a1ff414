/*
 * What the running action has learnt, so that it can go on in another run: its code runs again over the same answers. A1
 *
 * action-journal.1. The answers come in the order in which they came first, each after all that the one before it has set off. So
 *     whatever the action does at once has the same names again.
 * action-journal.2. Once it is handed over, the action gets no more answers in this run: what it did with them would be lost.
 * action-journal.3. What code of another version does not ask for any more is left out.
 */
import {
  CallFailed,
  Defect,
  LinkTargetAbsent,
  ReservationEnded,
  WaitRefused,
  WaitTimedOut,
} from '../../definition/action-errors.js';
import {
  journalledError,
  type Journal,
  type JournalEntry,
  type JournalledError,
} from '../../protocol/action-journal.js';
import type { EntityDriver } from './driver.js';

/** How large a journal may be to go along into the next run, in characters of JSON. */
const JOURNAL_BUDGET = 256 * 1024;

export class ActionJournal {
  readonly #driver: EntityDriver;
  /** What the run before has left. */
  readonly #carried: readonly JournalEntry[];
  readonly #times: number[];
  readonly #ended: JournalEntry[] = [];
  /** Those that the action waits for, by their place among the carried ones. */
  readonly #wanted = new Map<number, () => void>();
  #next = 0;
  #told = 0;
  #underWay = 0;
  #replays = false;
  /** Whether something has ended that cannot be written down. */
  #lacks = false;
  #handedOver = false;

  constructor(driver: EntityDriver, carried?: Journal) {
    this.#driver = driver;
    this.#carried = carried?.ended ?? [];
    this.#times = [...(carried?.times ?? [])];
  }

  /** The time, as the action was told it. */
  now(): number {
    return (this.#times[this.#told++] ??= this.#driver.now());
  }

  /** How this ended in an earlier run, or how it ends now. */
  async through<T>(key: string, perform: () => Promise<T>): Promise<T> {
    const place = this.#carried.findIndex((each, index) => index >= this.#next && each.key === key);
    if (place >= 0) {
      await this.#turn(place);
      await this.inThisRun();
      return this.#take(this.#carried[place]!) as T;
    }
    this.#underWay++;
    const entry = await perform().then(
      (value) => ({ key, value }),
      (thrown: unknown) => ({ key, thrown }),
    );
    await this.inThisRun();
    this.#underWay--;
    if ('value' in entry) {
      this.#ended.push(entry);
      return entry.value;
    }
    const error = written(entry.thrown);
    if (error) this.#ended.push({ key, error });
    else this.#lacks = true;
    throw entry.thrown;
  }

  /** Never ends once the action is handed over. action-journal.2 */
  async inThisRun(): Promise<void> {
    if (this.#handedOver) await new Promise(() => undefined);
  }

  /** How much of what the action has begun has not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Whether the action can go on in the next run. */
  get mayHandOver(): boolean {
    return !this.#lacks && !this.#replays && JSON.stringify(this.#written).length <= JOURNAL_BUDGET;
  }

  /** Gives the action no more answers. */
  silence(): void {
    this.#handedOver = true;
  }

  /** For the next run. action-journal.2 */
  handOver(): Journal {
    this.#handedOver = true;
    return this.#written;
  }

  get #written(): Journal {
    return { ended: this.#ended, times: this.#times };
  }

  #take(entry: JournalEntry): unknown {
    this.#ended.push(entry);
    if (entry.error) throw thrownAgain(entry.error);
    return entry.value;
  }

  #turn(place: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted.set(place, resolve);
      if (!this.#replays) void this.#replay();
    });
  }

  /** Gives the action one answer after the other. action-journal.1 */
  async #replay(): Promise<void> {
    this.#replays = true;
    while (this.#wanted.size > 0) {
      // action-journal.1
      await this.#driver.quiet();
      const give = this.#wanted.get(this.#next);
      this.#wanted.delete(this.#next);
      this.#next++;
      give?.();
    }
    this.#replays = false;
  }
}

function written(thrown: unknown): JournalledError | undefined {
  const { success, data } = journalledError.safeParse(thrown);
  return success ? data : undefined;
}

function thrownAgain({ name, code, message, call = '', circle = [], reserves = false }: JournalledError): Error {
  switch (name) {
    case 'CallFailed':
      return new CallFailed(call, code, message);
    case 'WaitTimedOut':
      return new WaitTimedOut(message);
    case 'WaitRefused':
      return new WaitRefused(message, circle, reserves);
    case 'ReservationEnded':
      return new ReservationEnded(message);
    case 'LinkTargetAbsent':
      return new LinkTargetAbsent(message);
    case 'Defect':
      return new Defect(code, message);
  }
}

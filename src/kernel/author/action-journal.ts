/*
 * All that the running action has learnt, so that it can go on in another run: its code runs again over the same answers. A1
 *
 * action-journal.1. Answers come one at a time, in the first run as in each later one, and in the same order: each after all that
 *     the one before it has set off (turns.1). So whatever the action asks for has the same place again.
 * action-journal.2. Once it is handed over, the action gets no more answers in this run: what it did with them would be lost.
 * action-journal.3. What code of another version does not ask for any more is left out.
 * action-journal.4. Whatever stands at a place was asked for there before, with the same content. Otherwise the action fails, and
 *     gets no answer any more: each could be the answer to something else.
 * action-journal.5. What the action reads without awaiting it is the same again, too.
 */
import { Turns } from '../../components/index.js';
import {
  CallFailed,
  Defect,
  LinkTargetAbsent,
  ReservationEnded,
  WaitRefused,
  WaitTimedOut,
} from '../../definition/action-errors.js';
import { isThrown } from '../../definition/thrown.js';
import {
  journalledError,
  type Journal,
  type JournalEntry,
  type JournalledAsk,
  type JournalledError,
  type JournalledReading,
} from '../../protocol/action-journal.js';
import { JOURNAL_BYTES } from '../../definition/limits.js';
import { valueFingerprint } from '../../protocol/fingerprint.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import type { EntityDriver } from '../run/driver.js';

const EMPTY: Journal = { asked: [], ended: [], readings: [] };

export class ActionJournal {
  readonly #driver: EntityDriver;
  /** The journal that the run before has left. */
  readonly #carried: Journal;
  readonly #answered: ReadonlySet<number>;
  readonly #asked: JournalledAsk[] = [];
  /** Entries as JSON text: the action may change what it was given. */
  readonly #ended: string[] = [];
  readonly #readings: JournalledReading[] = [];
  readonly #latest = new Map<string, { readonly value: unknown; readonly text: string }>();
  /** The places of what was not asked for when its answer was due. */
  readonly #leftOut = new Set<number>();
  /** Those that wait for what the run before has left, by their places. */
  readonly #wanted = new Map<number, (entry: JournalEntry) => void>();
  readonly #turns: Turns;
  /** How many answers of the run before have yet to be given. */
  #left: number;
  #underWay = 0;
  #open = 0;
  #size = 0;
  /** Tells whether something has ended that cannot be written down. */
  #lacks = false;
  #handedOver = false;
  #change: Defect | undefined;

  /** @param fail takes what no code of an action can throw */
  constructor(driver: EntityDriver, fail: (thrown: unknown) => void, carried: Journal = EMPTY) {
    this.#driver = driver;
    this.#carried = carried;
    this.#answered = new Set(carried.ended.map(({ place }) => place));
    this.#left = carried.ended.length;
    this.#turns = new Turns(driver, fail);
    // They come before any answer of this run. action-journal.1
    for (const entry of carried.ended) this.#inTurn(() => this.#giveAgain(entry));
  }

  /** Gives what the action reads without awaiting it, as it was told it. action-journal.5 @throws Defect */
  reading<T>(what: string, read: () => T): T {
    if (this.#change) throw this.#change;
    const carried = this.#carried.readings[this.#readings.length];
    if (carried && carried[0] !== what) this.#mustBe(`it read '${carried[0]}'`, `it reads '${what}'`);
    const latest = this.#latest.get(what);
    const value = (carried ? (carried.length > 1 ? carried[1] : latest?.value) : read()) as T;
    const text = latest && value === latest.value ? latest.text : JSON.stringify(value);
    const isSame = text === latest?.text;
    this.#readings.push(isSame ? [what] : [what, value]);
    this.#size += what.length + (isSame ? 0 : utf8Length(text));
    this.#latest.set(what, { value, text });
    return value;
  }

  /** The place of what the action asks for next. action-journal.4 @throws Defect */
  ask(what: string, content: readonly unknown[]): number {
    if (this.#change) throw this.#change;
    const place = this.#asked.length;
    const print = valueFingerprint(content);
    const before = this.#carried.asked[place];
    const nth = `its request number ${place + 1} was`;
    if (before && before.what !== what) this.#mustBe(`${nth} '${before.what}'`, `is '${what}'`);
    if (before && before.print !== print) this.#mustBe(`${nth} '${what}' with other contents`, 'has changed');
    if (this.#leftOut.has(place)) this.#mustBe(`${nth} '${what}'`, 'is asked for after other answers');
    this.#asked.push({ what, print });
    this.#size += what.length + print.length;
    return place;
  }

  /** How this ended in an earlier run, or how it ends now. */
  async through<T>(place: number, perform: () => Promise<T>): Promise<T> {
    this.#open++;
    if (this.#answered.has(place)) {
      const { error, value } = await new Promise<JournalEntry>((resolve) => this.#wanted.set(place, resolve));
      this.#open--;
      if (error) throw thrownAgain(error);
      return value as T;
    }
    this.#underWay++;
    const end = await ended(perform);
    return new Promise((resolve, reject) =>
      this.#inTurn(() => {
        this.#underWay--;
        this.#open--;
        if ('value' in end) {
          this.#note({ place, value: end.value });
          resolve(end.value);
        } else {
          const error = written(end.thrown);
          if (error) this.#note({ place, error });
          else this.#lacks = true;
          reject(end.thrown as Error);
        }
      }),
    );
  }

  /**
   * Tells whether this holds before a time is over, for which `wait` waits. The end of the time is an answer as any other, so the
   * result depends on answers alone.
   */
  async inTime(place: number, holds: () => boolean, wait: () => Promise<boolean>): Promise<boolean> {
    let late = false;
    if (this.#answered.has(place)) {
      this.#wanted.set(place, () => (late = true));
    } else {
      await this.#until(() => holds() || this.#left === 0);
      if (!holds() && !(await wait())) {
        this.#inTurn(() => {
          if (holds()) return;
          late = true;
          this.#note({ place });
        });
      }
    }
    await this.#until(() => late || holds());
    return !late;
  }

  /** Never ends once the action is handed over. action-journal.2 */
  async inThisRun(): Promise<void> {
    if (this.#handedOver) await new Promise(() => undefined);
  }

  /** Why the action has to fail whatever it does. action-journal.4 */
  get change(): Defect | undefined {
    return this.#change;
  }

  /** How much of what the action has begun has not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /** How much of what the action has asked for has yet to be answered, in whatever run that was done. */
  get open(): number {
    return this.#open;
  }

  /** Tells whether the action can go on in the next run. */
  get mayHandOver(): boolean {
    return !this.#lacks && !this.#change && this.#left === 0 && this.#size <= JOURNAL_BYTES;
  }

  /** Gives the action no more answers. */
  silence(): void {
    this.#handedOver = true;
  }

  /** For the next run. action-journal.2 */
  handOver(): Journal {
    this.#handedOver = true;
    const ended = this.#ended.map((text) => JSON.parse(text) as JournalEntry);
    return { asked: this.#asked, ended, readings: this.#readings };
  }

  #inTurn(give: () => void): void {
    this.#turns.take(() => {
      if (!this.#handedOver) give();
    });
  }

  #giveAgain(entry: JournalEntry): void {
    this.#left--;
    const give = this.#wanted.get(entry.place);
    if (give) {
      this.#note(entry);
      give(entry);
    } else {
      // action-journal.3
      this.#leftOut.add(entry.place);
    }
  }

  #note(entry: JournalEntry): void {
    if (this.#lacks || this.#size > JOURNAL_BYTES) return;
    const text = textOf(entry);
    if (text === undefined) {
      this.#lacks = true;
      return;
    }
    this.#size += utf8Length(text);
    this.#ended.push(text);
  }

  async #until(holds: () => boolean): Promise<void> {
    if (!holds()) await this.#driver.until(holds);
  }

  #mustBe(before: string, now: string): never {
    const problem = `The action runs again, because its entity continued as new: ${before}, and now ${now}`;
    const remedy =
      'Make the requests of an action depend only on its parameters, its context (the time from now()) and earlier answers';
    this.#change = new Defect('action_changed', `${problem}. ${remedy}. Its next attempt begins from its start.`);
    throw this.#change;
  }
}

type End<T> = { readonly value: T } | { readonly thrown: unknown };

async function ended<T>(perform: () => Promise<T>): Promise<End<T>> {
  try {
    return { value: await perform() };
  } catch (thrown) {
    return { thrown };
  }
}

/** Nothing where JSON cannot carry it. */
function textOf(entry: JournalEntry): string | undefined {
  try {
    return JSON.stringify(entry);
  } catch {
    return undefined;
  }
}

function written(thrown: unknown): JournalledError | undefined {
  const { success, data } = journalledError.safeParse(thrown);
  if (!success) return undefined;
  return isThrown(thrown, WaitRefused) ? { ...data, circle: [...thrown.cycle] } : data;
}

function thrownAgain(error: JournalledError): Error {
  const { name, code, message, call = '', circle = [], reserves = false, retryAfterMs } = error;
  switch (name) {
    case 'CallFailed':
      return new CallFailed(call, code, message, 0, retryAfterMs);
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

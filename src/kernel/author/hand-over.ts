/*
 * How a run ends amid an action.
 *
 * hand-over.1. An action that waits for answers of other entities or from outside, and for nothing else, does not keep a long run from
 *     ending: its code runs again in the next one, over what it has learnt. A1
 */
import type { Awaited } from '../../protocol/snapshot.js';
import type { ActionJournal } from './action-journal.js';
import type { LiveEntity } from '../run/live-entity.js';
import { travels } from '../waits/awaits.js';
import type { RunEnd } from '../run/run-end.js';

export class HandOver {
  readonly #live: LiveEntity;
  readonly #end: RunEnd;
  /** All that the running action has learnt. */
  #journal: ActionJournal | undefined;
  /** The journal of the action that is watched for whether it can go on in a new run. */
  #watched: ActionJournal | undefined;
  /** Tells whether the code that waits for the action was called away since it last came to wait. */
  #calledAway = false;

  constructor(live: LiveEntity, end: RunEnd) {
    this.#live = live;
    this.#end = end;
  }

  /** An action begins, or ends. */
  note(journal: ActionJournal | undefined): void {
    this.#journal = journal;
  }

  /** The code that was called away comes to wait again. */
  noteReturn(): void {
    this.#calledAway = false;
  }

  /** Tells whether the entity can go on in a new run now. */
  get isPossible(): boolean {
    return this.#end.isPossible && this.#isWanted;
  }

  /** Leaves the action to the next run, where it begins anew over what it has learnt. hand-over.1 */
  take(): void {
    const journal = this.#journal!.handOver();
    this.#live.change((snapshot) => ({ ...snapshot, running: { ...snapshot.running!, journal } }));
    this.#live.leave();
  }

  /** Lets the run end amid this wait, whenever that is possible. */
  amid<T>(wait: Promise<T>): Promise<T> {
    if (this.#watched !== this.#journal) this.#watch().catch((thrown) => this.#live.fail(thrown));
    return wait;
  }

  /** Tells whether nothing is under way but what the next run takes up. */
  get #isWanted(): boolean {
    const { driver, snapshot } = this.#live;
    if (!driver.runIsLong()) return false;
    const { running, callbacks = [] } = snapshot;
    const { awaits = [], aborted, holds } = running ?? {};
    if (awaits.length === 0 || aborted) return false;
    const asks = new Set(awaits.flatMap(({ kind, wait, place }) => (kind === 'answer' ? wait : (place?.ask ?? []))));
    if (asks.size !== this.#journal?.underWay) return false;
    const isAwaited = (wait: string) =>
      callbacks.some(({ id, asked, answer, end }) => id === wait && asked && !answer && !end);
    const isTaken = (each: Awaited) => (each.kind === 'answer' ? isAwaited(each.wait) : travels(each));
    if (!awaits.every(isTaken) || !this.#journal.mayHandOver) return false;
    const onlyOutside = awaits.every(({ kind }) => kind === 'answer') && !holds;
    return onlyOutside || driver.mayEndAmidWaits();
  }

  /** Calls away the code that waits for the action whenever this can go on in a new run. */
  async #watch(): Promise<void> {
    const { driver, outbox } = this.#live;
    const journal = this.#journal;
    this.#watched = journal;
    const isOver = () => this.#journal !== journal;
    const isWanted = () => !isOver() && this.#isWanted;
    while (!isOver()) {
      await driver.until(() => isOver() || isWanted());
      if (isOver()) return;
      // Otherwise an entity that always has something to send would never go on in a new run.
      outbox.keep();
      while (isWanted()) {
        await driver.until(() => !isWanted() || this.#end.isPossible);
        if (!isWanted()) break;
        this.#calledAway = true;
        this.#live.callAway();
        // An action that waits again is called away again: what had to be done before may have been done at once.
        await driver.until(() => !isWanted() || !this.#calledAway);
      }
      await this.#sendAgain();
    }
  }

  /** Sends again what was kept for the next run, since the action goes on in this one. outbox.6 */
  async #sendAgain(): Promise<void> {
    const live = this.#live;
    const isLeft = () => live.left || live.snapshot.rollingOver === true;
    await live.driver.until(() => isLeft() || live.outbox.empty);
    if (!isLeft()) live.outbox.resume();
  }
}

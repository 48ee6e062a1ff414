/*
 * Tells providers of questions that were closed without an answer. The entity does not wait for that. A3
 */
import type { QuestionWithdrawal } from '../../protocol/callback.js';
import type { Asking } from '../author/asking.js';
import type { LiveEntity } from '../run/live-entity.js';
import { withdrawn } from '../callbacks/withdrawal.js';
import { messageOf } from '../../definition/thrown.js';

/** How many providers are told at once. */
const AT_ONCE = 100;
/** For how long the end of a deleted entity waits for them, in milliseconds. */
const AT_THE_END_MS = 10_000;

export class Withdrawing {
  readonly #live: LiveEntity;
  readonly #asking: Asking;
  readonly #underWay = new Set<string>();

  constructor(live: LiveEntity, asking: Asking) {
    this.#live = live;
    this.#asking = asking;
  }

  /** Begins to tell those who have yet to be told. */
  begin(): void {
    for (const withdrawal of this.#live.snapshot.withdrawals ?? []) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (!this.#underWay.has(withdrawal.id)) void this.#tell(withdrawal);
    }
  }

  /** Waits a moment for those who have yet to be told, since the entity ends for good. */
  async end(): Promise<void> {
    const isDone = () => this.#live.snapshot.withdrawals === undefined;
    if (isDone() || (await this.#live.driver.until(isDone, AT_THE_END_MS, 'inform providers of withdrawn questions')))
      return;
    for (const withdrawal of this.#live.snapshot.withdrawals ?? []) this.#giveUp(withdrawal, 'the entity has ended');
  }

  async #tell(withdrawal: QuestionWithdrawal): Promise<void> {
    const { id, idempotencyKey } = withdrawal;
    this.#underWay.add(id);
    // It does not come before the question.
    await this.#asking.asked(idempotencyKey);
    try {
      await this.#live.driver.withdraw(withdrawal);
      this.#live.change((snapshot) => withdrawn(snapshot, id));
    } catch (thrown) {
      this.#giveUp(withdrawal, messageOf(thrown));
    }
    this.#underWay.delete(id);
    this.begin();
  }

  #giveUp({ id, call, idempotencyKey }: QuestionWithdrawal, problem: string): void {
    this.#live.driver.warn(`The provider of ${call} could not be informed that its answer is no longer needed.`, {
      ...{ idempotencyKey, problem },
    });
    this.#live.change((snapshot) => withdrawn(snapshot, id));
  }
}

/*
 * Calls that are answered from outside, as the running action waits for them. A1
 */
import { Aborted, CallFailed } from '../../definition/action-errors.js';
import { toMilliseconds } from '../../definition/duration.js';
import type { Call } from '../../definition/resource.js';
import type { CallbackAnswer, CallbackCall, CallbackQuestion } from '../../protocol/callback.js';
import type { Awaited } from '../../protocol/snapshot.js';
import type { Unwanted } from '../callbacks/gathering.js';
import { noteRestarts } from '../callbacks/call-steps.js';
import { askOutside, noteRound, notAnswered, roundOf } from '../callbacks/callback.js';
import { defer } from '../engagements/owed-judgements.js';
import type { LiveEntity } from '../run/live-entity.js';
import { changeAwaits, summaryOf } from '../waits/awaits.js';
import type { PlacedCall } from '../run/placed-call.js';
import { give } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';

/** For how long an answer is awaited whose call is declared in another way by now. A7 */
const WITHIN_BEFORE = '7d';

export class Asking {
  readonly #live: LiveEntity;
  /** The providers that are asking, by the keys of their calls. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(live: LiveEntity) {
    this.#live = live;
  }

  /**
   * Asks outside, and waits for the answer.
   * @param unwanted why nobody wants the answer any more
   * @throws CallFailed, Aborted
   */
  async ask(placed: PlacedCall, unwanted: () => Unwanted | undefined = () => undefined): Promise<unknown> {
    const { call, input, idempotencyKey, place } = placed;
    const withinMs = toMilliseconds(call.shape.within ?? WITHIN_BEFORE);
    return this.#live.outlastSeen(async () => {
      const { withdraw: withdraws } = call.shape;
      const question = { idempotencyKey, call: call.activity, input, withinMs, withdraws };
      const { snapshot, asked } = askOutside(this.#live.snapshot, question, this.#live.now());
      const { id, until } = asked;
      const { version } = snapshot;
      const awaited: Awaited = { kind: 'answer', wait: id, on: call.activity, until };
      this.#live.apply({ snapshot, effects: [] });
      this.#live.change((each) =>
        changeAwaits(each, (awaits) => [...awaits.filter(({ wait }) => wait !== id), awaited]),
      );
      this.#live.apply(defer(this.#live.snapshot));
      let failed: { readonly thrown: unknown } | undefined;
      if (!asked.asked && !asked.answer) {
        const asking = this.#live.driver.call(placed, this.#questionOf(asked)).then(
          ({ output, restarts }) => {
            // A worker whose declaration does not say that it is answered from outside has done it, and answers itself. A7
            const answers = output !== undefined && roundOf(this.#live.snapshot, id)?.answer === undefined;
            this.#note(id, { asked: true, ...(answers && { answer: { output } }) });
            const now = this.#live.snapshot;
            // The answer may have come first, and the action may be over.
            if (now.version === version)
              this.#live.apply({ snapshot: noteRestarts(now, place, restarts), effects: [] });
          },
          (thrown: unknown) => (failed = { thrown }),
        );
        this.#follow(idempotencyKey, asking);
      }
      const answered = () => roundOf(this.#live.snapshot, id)?.answer;
      const aborted = () => this.#live.snapshot.running?.aborted === true;
      const revoked = () => roundOf(this.#live.snapshot, id)?.end === 'revoked';
      const over = () =>
        answered() !== undefined || failed !== undefined || aborted() || unwanted() !== undefined || revoked();
      await this.#wait(awaited, over);
      this.#live.change((each) => changeAwaits(each, (awaits) => awaits.filter(({ wait }) => wait !== id)));
      // A question that has yet to be asked is needed no more.
      if (!roundOf(this.#live.snapshot, id)?.asked) this.#live.driver.cancelCalls([idempotencyKey]);
      const answer = answered();
      if (answer && !aborted()) return this.#take(call, id, answer);
      const round = roundOf(this.#live.snapshot, id) ?? asked;
      if (revoked() && !aborted()) throw notAnswered(round);
      this.#note(id, { end: aborted() ? 'aborted' : unwanted() ? 'superseded' : failed ? 'failed' : 'timed out' });
      if (aborted()) throw new Aborted(`The action was aborted while it waited for the answer to ${call.activity}.`);
      throw failed ? failed.thrown : notAnswered(round);
    });
  }

  /** Ends when the provider that asks by this key in the present run has done so, or has failed. */
  async asked(idempotencyKey: string): Promise<void> {
    await this.#underWay.get(idempotencyKey);
  }

  #follow(idempotencyKey: string, asking: Promise<unknown>): void {
    const followed = asking.then(() => {
      if (this.#underWay.get(idempotencyKey) === followed) this.#underWay.delete(idempotencyKey);
    });
    this.#underWay.set(idempotencyKey, followed);
  }

  /** Waits until it is over or its time has passed, which an operator may put off meanwhile. */
  async #wait(awaited: Awaited, over: () => boolean): Promise<void> {
    let { until } = awaited;
    for (;;) {
      await this.#live.driver.until(over, until - this.#live.now(), summaryOf(awaited));
      const later = roundOf(this.#live.snapshot, awaited.wait)?.until ?? until;
      if (over() || later <= until) return;
      until = later;
    }
  }

  #questionOf({ id, until, call }: CallbackCall): CallbackQuestion {
    const { type, key, life, engagements, operation: last } = this.#live.snapshot;
    const operation = engagements.at(-1)?.operation ?? last?.id;
    return { id, until, of: { type, key, life }, call, ...(operation !== undefined && { operation }) };
  }

  /** @throws CallFailed */
  #take(call: Call, id: string, answer: CallbackAnswer): unknown {
    if ('error' in answer) {
      const { code, message } = answer.error;
      throw new CallFailed(call.activity, code, message);
    }
    const output = give(call.shape.output, answer.output);
    if (output.valid) return output.value;
    this.#note(id, { end: 'failed' });
    throw new CallFailed(call.activity, 'invalid_output', `The answer is not right: ${describeIssues(output.issues)}.`);
  }

  #note(id: string, news: Parameters<typeof noteRound>[2]): void {
    this.#live.apply({ snapshot: noteRound(this.#live.snapshot, id, news), effects: [] });
  }
}

/*
 * Calls that are answered from outside, as the running action waits for them. A1
 */
import { Aborted, CallFailed } from '../../definition/action-errors.js';
import { toMilliseconds } from '../../definition/duration.js';
import type { Call } from '../../definition/resource.js';
import type { CallbackAnswer, CallbackCall, CallbackQuestion } from '../../protocol/callback.js';
import type { Awaited, Snapshot } from '../../protocol/snapshot.js';
import type { Unwanted } from '../callbacks/gathering.js';
import { noteRestarts } from '../callbacks/call-steps.js';
import { askOutside, noteRound, notAnswered, roundOf } from '../callbacks/callback.js';
import { defer } from '../engagements/owed-judgements.js';
import type { Step } from '../rules/step.js';
import type { EntityDriver } from './driver.js';
import { changeAwaits, summaryOf } from './long-wait.js';
import type { PlacedCall } from './placed-call.js';
import { give } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';

/** For how long an answer is awaited whose call is declared in another way by now. A7 */
const WITHIN_BEFORE = '7d';

/** The code that runs the action. */
interface AskingHost {
  snapshot(): Snapshot;
  apply(step: Step): void;
  /** Waits for something that outlasts the present task, and shows the entity when it has begun to. */
  outlasting<T>(wait: () => Promise<T>): Promise<T>;
}

export class Asking {
  readonly #driver: EntityDriver;
  readonly #host: AskingHost;
  /** The providers that are asking, by the keys of their calls. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(driver: EntityDriver, host: AskingHost) {
    this.#driver = driver;
    this.#host = host;
  }

  /**
   * Asks outside, and waits for the answer.
   * @param unwanted why nobody wants the answer any more
   * @throws CallFailed, Aborted
   */
  async ask(placed: PlacedCall, unwanted: () => Unwanted | undefined = () => undefined): Promise<unknown> {
    const { call, input, idempotencyKey, place } = placed;
    const withinMs = toMilliseconds(call.shape.within ?? WITHIN_BEFORE);
    return this.#host.outlasting(async () => {
      const { withdraw: withdraws } = call.shape;
      const question = { idempotencyKey, call: call.activity, input, withinMs, withdraws };
      const { snapshot, asked } = askOutside(this.#host.snapshot(), question, this.#driver.now());
      const { id, until } = asked;
      const { version } = snapshot;
      const awaited: Awaited = { kind: 'answer', wait: id, on: call.activity, until };
      this.#host.apply({ snapshot, effects: [] });
      this.#host.apply(
        changeAwaits(this.#host.snapshot(), (awaits) => [...awaits.filter(({ wait }) => wait !== id), awaited]),
      );
      this.#host.apply(defer(this.#host.snapshot()));
      let failed: { readonly thrown: unknown } | undefined;
      if (!asked.asked && !asked.answer) {
        const asking = this.#driver.call(placed, this.#questionOf(asked)).then(
          ({ output, restarts }) => {
            // A worker whose declaration does not say that it is answered from outside has done it, and answers itself. A7
            const answers = output !== undefined && roundOf(this.#host.snapshot(), id)?.answer === undefined;
            this.#note(id, { asked: true, ...(answers && { answer: { output } }) });
            const now = this.#host.snapshot();
            // The answer may have come first, and the action may be over.
            if (now.version === version)
              this.#host.apply({ snapshot: noteRestarts(now, place, restarts), effects: [] });
          },
          (thrown: unknown) => (failed = { thrown }),
        );
        this.#follow(idempotencyKey, asking);
      }
      const answered = () => roundOf(this.#host.snapshot(), id)?.answer;
      const aborted = () => this.#host.snapshot().running?.aborted === true;
      const revoked = () => roundOf(this.#host.snapshot(), id)?.end === 'revoked';
      const over = () =>
        answered() !== undefined || failed !== undefined || aborted() || unwanted() !== undefined || revoked();
      await this.#wait(awaited, over);
      this.#host.apply(changeAwaits(this.#host.snapshot(), (awaits) => awaits.filter(({ wait }) => wait !== id)));
      // A question that has yet to be asked is needed no more.
      if (!roundOf(this.#host.snapshot(), id)?.asked) this.#driver.cancelCalls([idempotencyKey]);
      const answer = answered();
      if (answer && !aborted()) return this.#take(call, id, answer);
      const round = roundOf(this.#host.snapshot(), id) ?? asked;
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
      await this.#driver.until(over, until - this.#driver.now(), summaryOf(awaited));
      const later = roundOf(this.#host.snapshot(), awaited.wait)?.until ?? until;
      if (over() || later <= until) return;
      until = later;
    }
  }

  #questionOf({ id, until, call }: CallbackCall): CallbackQuestion {
    const { type, key, life, engagements, operation: last } = this.#host.snapshot();
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
    this.#host.apply({ snapshot: noteRound(this.#host.snapshot(), id, news), effects: [] });
  }
}

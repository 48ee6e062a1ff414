/*
 * The calls of an action that was aborted, as long as they may still take effect. S3.2
 *
 * aftermath.1. The action of the event that aborts does not begin before each call of the aborted action has ended, or its worker has
 *     confirmed the cancellation: otherwise a call could make again what that action has removed.
 * aftermath.2. It waits for the longest time limit of these calls at most, and for none that is declared with `waitOnAbort: false`.
 */
import { Aborted } from '../../definition/action-errors.js';
import { timeoutOf } from '../../definition/call-times.js';
import { callsUnderWay, endStep } from '../callbacks/call-steps.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { PlacedCall } from '../run/placed-call.js';

export class Aftermath {
  readonly #live: LiveEntity;
  /** The calls that the action has made, by idempotency keys. */
  readonly #made = new Map<string, PlacedCall>();

  constructor(live: LiveEntity) {
    this.#live = live;
  }

  /** A call begins. */
  begin(placed: PlacedCall): void {
    this.#made.set(placed.idempotencyKey, placed);
  }

  /** Tells whether the call was cancelled, and may still take effect. */
  includes({ idempotencyKey }: PlacedCall): boolean {
    const placed = this.#made.get(idempotencyKey);
    return placed !== undefined && placed.call.shape.waitOnAbort !== false && this.#live.driver.lingers(idempotencyKey);
  }

  /** Waits until no call of the action can take effect any more. aftermath.1, aftermath.2 */
  async over(): Promise<void> {
    const left = () => [...this.#made.values()].filter((placed) => this.includes(placed));
    const begun = left();
    if (begun.length === 0) return;
    const limitMs = Math.max(...begun.map(({ call }) => timeoutOf(call.shape)));
    const live = this.#live;
    live.change(({ running, ...rest }) => ({ ...rest, running: { ...running!, endsBy: live.now() + limitMs } }));
    const summary = `the end of ${begun.map(({ call }) => call.activity).join(', ')}, which was aborted`;
    await live.outlastSeen(() => live.driver.until(() => left().length === 0, limitMs, summary));
    for (const placed of begun) this.#end(placed, this.includes(placed));
  }

  /** The action has ended. */
  clear(): void {
    this.#made.clear();
  }

  #end({ call, place }: PlacedCall, mayGoOn: boolean): void {
    const live = this.#live;
    if (!callsUnderWay(live.snapshot).some((step) => step.place === place)) return;
    const end = mayGoOn ? 'has not ended within its time limit: it may still take effect' : 'has ended since';
    const thrown = new Aborted(`${call.activity} was aborted with its action, and ${end}.`);
    live.change((snapshot) => endStep(snapshot, place, live.now(), { thrown }));
  }
}

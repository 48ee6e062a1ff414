/*
 * All that the running action waits for on other entities. S3.8
 *
 * awaiting.1. The snapshot shows a wait from its beginning to its end. A wait always ends: with the answer, the time limit, the
 *     abortion of the action, or because the action waits for itself.
 * awaiting.2. An answer that nobody waits for any more changes nothing.
 * awaiting.3. An event for which the action stops waiting is withdrawn, so that it does not begin later, when nobody expects
 *     it.
 */
import { Aborted, WaitTimedOut } from '../../definition/action-errors.js';
import type { RaiseOutcome } from '../../definition/action-context.js';
import { asDeclared } from '../../definition/duration.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Report } from '../../protocol/report.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Probe } from '../../protocol/probe.js';
import { raisedAgain } from '../../protocol/raise-id.js';
import type { ReservedEntity, SeenEntity, View } from '../../protocol/reading.js';
import type { Hold, Sealed } from '../../protocol/reservation.js';
import type { Awaited, Snapshot } from '../../protocol/snapshot.js';
import { unchained } from '../rules/chain.js';
import { circleOf, probeAgain } from '../reservations/circle.js';
import { defer } from '../engagements/owed-judgements.js';
import type { EntityDriver } from './driver.js';
import type { Undeliverable } from './outbox.js';
import { notRejected } from '../engagements/rejected-raises.js';
import { askFor, heldReservations, hold, releaseOf } from '../reservations/holding.js';
import { raiseOn, type RaiseIntent } from '../successors/raise.js';
import { absent } from '../successors/receive.js';
import { refused } from '../successors/refused-wait.js';
import { askForSeal, notSealed, sealedWithin, type Sealing } from '../successors/sealing.js';
import type { Effect, Step } from '../rules/step.js';
import { changeAwaits, untilAnswered } from './long-wait.js';
import { isWithdrawn, withdrawalOf } from '../successors/withdraw.js';

/** How a wait ended. */
type Answer =
  | { readonly kind: 'refused'; readonly circle: readonly string[] }
  | { readonly kind: 'outcome'; readonly outcome: EngagementOutcome }
  | { readonly kind: 'view'; readonly view?: SeenEntity; readonly granted?: NonNullable<View['granted']> }
  | { readonly kind: 'sealed'; readonly rejection?: Rejection };

/** The terms on which an action reserves another entity. */
export interface ReservationTerms {
  /** How long the reservation lasts at most. */
  readonly leaseMs: number;
  readonly hold: Hold;
  /** How long the action waits for it. */
  readonly withinMs: number;
}

/** The code that runs the action. */
export interface AwaitingHost {
  snapshot(): Snapshot;
  apply(step: Step): void;
  /** Looks after the successors that say nothing: one that is lost does not answer. S4.4 */
  look(): void;
  /** Waits for something that outlasts the present task. */
  outlasting<T>(wait: () => Promise<T>): Promise<T>;
}

/** One wait, as the action asks for it. */
type Intent = Awaited extends infer A ? (A extends Awaited ? Omit<A, 'wait' | 'on' | 'until'> : never) : never;

export class Awaiting {
  readonly #driver: EntityDriver;
  readonly #host: AwaitingHost;
  /** The answers by the name of the wait; none while it goes on. */
  readonly #answers = new Map<string, Answer | undefined>();
  /** How often the probe of each wait was sent again, by the name of the wait. */
  readonly #rounds = new Map<string, number>();

  constructor(driver: EntityDriver, host: AwaitingHost) {
    this.#driver = driver;
    this.#host = host;
  }

  /** @throws WaitTimedOut, Aborted */
  async raise(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome> {
    const until = this.#driver.now() + withinMs;
    let outcome = await this.#raise(intent, withinMs);
    if (outcome && isWithdrawn(outcome)) {
      // An earlier attempt has withdrawn this request, and the answer to that comes only now.
      const { id, ...request } = intent.request;
      const again = { ...intent, request: { id: notRejected(this.#host.snapshot(), raisedAgain(id)), ...request } };
      outcome = await this.#raise(again, until - this.#driver.now());
    }
    if (!outcome) {
      const { event } = intent.request;
      throw new WaitTimedOut(
        `${entityId(intent.to)} has not settled within ${asDeclared(withinMs)} after '${event}' was raised on it.`,
      );
    }
    const { rejection, state, health, error } = outcome;
    if (rejection) return { status: 'rejected', code: rejection.code, message: rejection.message };
    return { status: 'settled', state, health, ...(error && { error }) };
  }

  /** The outcome of the event; nothing when the time is over. */
  async #raise(intent: RaiseIntent, withinMs: number): Promise<EngagementOutcome | undefined> {
    const { to, request } = intent;
    const { id: engagement, event } = request;
    const answer = await this.#wait(to, { kind: 'event', engagement, event }, withinMs, (wait) =>
      raiseOn(this.#host.snapshot(), [{ ...intent, request: { ...request, awaited: wait } }]),
    );
    return answer?.kind === 'outcome' ? answer.outcome : undefined;
  }

  /** @throws WaitTimedOut, Aborted */
  async read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined> {
    const answer = await this.#wait(of, { kind: 'view' }, withinMs, (wait) => {
      const snapshot = this.#host.snapshot();
      const { type, key, life, tenant } = snapshot;
      const from = { type, key, life };
      const message = { kind: 'read', from, wait, ...(tenant !== undefined && { tenant }) } as const;
      return { snapshot, effects: [{ kind: 'send', to: of, message }] };
    });
    if (answer?.kind !== 'view') {
      throw new WaitTimedOut(`${entityId(of)} has not answered a read within ${asDeclared(withinMs)}.`);
    }
    return answer.view;
  }

  /** Nothing when the entity does not exist. @throws WaitTimedOut, Aborted */
  async reserve(to: EntityRef, { leaseMs, hold, withinMs }: ReservationTerms): Promise<ReservedEntity | undefined> {
    const ask = (wait: string): Step => {
      const snapshot = this.#host.snapshot();
      const now = this.#driver.now();
      return { snapshot, effects: [askFor(snapshot, to, { wait, leaseMs, hold, until: now + withinMs }, now)] };
    };
    const answer = await this.#wait(to, { kind: 'reservation', hold }, withinMs, ask);
    if (answer?.kind !== 'view') {
      throw new WaitTimedOut(`${entityId(to)} could not be reserved within the time that was given for it.`);
    }
    const { view, granted } = answer;
    return view && granted && { ...view, fence: granted.fence, until: granted.until };
  }

  /**
   * Waits until all entities that the action has reserved promise to admit its events.
   * @throws Rejected, ReservationEnded when one of them will not; Aborted, WaitRefused
   */
  async seal(wanted: readonly Sealing[]): Promise<void> {
    const waits: string[] = [];
    let refused = false;
    const inVain = () => (refused ||= waits.some((wait) => isRefusal(this.#answers.get(wait))));
    const asked = wanted.map(async (sealing) => {
      const { on } = sealing.held;
      const { event } = sealing.raises[0]!.request;
      const ask = (wait: string) => {
        waits.push(wait);
        return askForSeal(this.#host.snapshot(), sealing, wait);
      };
      const withinMs = sealedWithin(sealing, this.#driver.now());
      const answer = await this.#wait(on, { kind: 'seal', event }, withinMs, ask, inVain);
      if (answer?.kind === 'sealed' && !answer.rejection) return undefined;
      const rejection = answer?.kind === 'sealed' ? answer.rejection : undefined;
      // Another entity has refused before this one has answered.
      return answer === undefined && refused ? undefined : notSealed(on, rejection);
    });
    // Each answer is awaited, also when one entity refuses.
    const settled = await Promise.allSettled(asked);
    for (const each of settled) {
      if (each.status === 'rejected') throw each.reason;
      if (each.value) throw each.value;
    }
  }

  /** Takes in a message that may be an answer. */
  hear(message: EntityMessage): void {
    switch (message.kind) {
      case 'report':
        // A rejected event has set off nothing, so there is nothing more to wait for.
        if (message.outcome.rejection) this.settled(message.ended, message.outcome);
        else if (message.again) this.#raisedAgain(message);
        break;
      case 'awaited':
        if (message.toLife === this.#host.snapshot().life) this.settled([message.engagement], message.outcome);
        break;
      case 'view':
        this.#seen(message);
        break;
      case 'sealed':
        this.#sealed(message);
        break;
      case 'probe':
        this.#probed(message);
        break;
      default:
    }
  }

  /** Ends the waits for these events: everything that they have set off has settled. */
  settled(engagements: readonly string[], outcome: EngagementOutcome): void {
    for (const awaited of this.#waits()) {
      if (awaited.kind !== 'event' || !engagements.includes(awaited.engagement)) continue;
      this.#answers.set(awaited.wait, { kind: 'outcome', outcome });
    }
  }

  /** Ends the wait for an event whose operation has ended: so has all that the event has set off. */
  operationOver(message: OperationMessage): void {
    if (message.kind === 'await') this.settled([message.engagement], message.outcome);
  }

  /** Ends the wait for an entity that does not exist. */
  undeliverable({ to, message }: Undeliverable): void {
    if (message.kind === 'raise') this.settled([message.request.id], absent(to, message.request.event));
    else if (message.kind === 'seal' && this.#answers.has(message.wait)) {
      this.#answers.set(message.wait, { kind: 'sealed', rejection: gone(to, message.first.event) });
    } else if ((message.kind === 'read' || message.kind === 'reserve') && this.#answers.has(message.wait)) {
      this.#answers.set(message.wait, { kind: 'view' });
    }
  }

  /** The answer, or nothing when the time is over. */
  async #wait(
    on: EntityRef,
    intent: Intent,
    withinMs: number,
    ask: (wait: string) => Step,
    inVain = () => false,
  ): Promise<Answer | undefined> {
    return this.#host.outlasting(async () => {
      const wait = this.#driver.uuid();
      this.#answers.set(wait, undefined);
      const awaited: Awaited = { ...intent, wait, on: entityId(on), until: this.#driver.now() + withinMs };
      this.#change((awaits) => [...awaits, awaited]);
      this.#host.apply(defer(this.#host.snapshot()));
      this.#host.apply(ask(wait));
      this.#driver.show(this.#host.snapshot());
      const aborted = () => this.#host.snapshot().running?.aborted === true;
      const over = () => this.#answers.get(wait) !== undefined || aborted() || inVain();
      await untilAnswered(this.#driver, awaited, over, {
        look: () => this.#host.look(),
        probe: () => this.#probeAgain(awaited),
      });
      const answer = this.#answers.get(wait);
      // Time has gone on. chain.2
      if (!answer) this.#host.apply({ snapshot: unchained(this.#host.snapshot(), this.#driver.now()), effects: [] });
      this.#answers.delete(wait);
      this.#rounds.delete(wait);
      // An action that has ended meanwhile may run again and have the same wait.
      const ofAction = this.#waits().some((each) => each.wait === wait);
      this.#change((awaits) => awaits.filter((each) => each.wait !== wait));
      // The reservation may be granted all the same, now or later.
      if (answer?.kind !== 'view' && intent.kind === 'reservation') this.#post([releaseOf(on, wait)]);
      if (answer?.kind !== 'outcome' && intent.kind === 'event' && ofAction) {
        this.#post([withdrawalOf(this.#host.snapshot(), on, intent.engagement)]);
      }
      if (!answer && aborted()) throw new Aborted(`The action was aborted while it waited for ${entityId(on)}.`);
      if (answer?.kind === 'refused') throw refused(answer.circle, intent.kind === 'reservation');
      return answer;
    });
  }

  #probeAgain(awaited: Awaited): void {
    const round = (this.#rounds.get(awaited.wait) ?? 0) + 1;
    this.#rounds.set(awaited.wait, round);
    this.#post(probeAgain(this.#host.snapshot(), awaited, round));
  }

  /** Refuses the wait whose probe has come back: the action waits for itself. */
  #probed(probe: Probe): void {
    const circle = circleOf(this.#host.snapshot(), probe);
    if (circle && this.#answers.get(probe.wait) === undefined) {
      this.#answers.set(probe.wait, { kind: 'refused', circle });
    }
  }

  /** Takes in how another entity is, and whether it is reserved now. awaiting.2 */
  #seen(message: View): void {
    const snapshot = this.#host.snapshot();
    const { wait, view, granted, from } = message;
    const awaited = this.#waits().find((each) => each.wait === wait);
    if (message.toLife === snapshot.life && awaited && this.#answers.get(wait) === undefined) {
      this.#answers.set(wait, { kind: 'view', ...(view && { view }), ...(granted && { granted }) });
      if (awaited.kind === 'reservation') this.#host.apply(hold(snapshot, awaited, message));
      if (granted) this.#probeOthers(wait);
    } else if (granted && !heldReservations(snapshot).some((held) => held.wait === wait)) {
      this.#post([releaseOf(from, wait)]);
    }
  }

  /**
   * Sends probes for the other waits: all that wait for the newly reserved entity now wait for this action, and so for its
   * other waits.
   */
  #probeOthers(granted: string): void {
    for (const other of this.#waits()) {
      if (other.wait !== granted && this.#answers.get(other.wait) === undefined) this.#probeAgain(other);
    }
  }

  /** Takes in the answer of a reserved entity: it promises to admit the events, or refuses. awaiting.2 */
  #sealed({ toLife, wait, rejection }: Sealed): void {
    if (toLife !== this.#host.snapshot().life || !this.#waits().some((each) => each.wait === wait)) return;
    if (this.#answers.get(wait) === undefined)
      this.#answers.set(wait, { kind: 'sealed', ...(rejection && { rejection }) });
  }

  #post(effects: readonly Effect[]): void {
    this.#host.apply({ snapshot: this.#host.snapshot(), effects });
  }

  #waits(): readonly Awaited[] {
    return this.#host.snapshot().running?.awaits ?? [];
  }

  #change(change: (awaits: readonly Awaited[]) => readonly Awaited[]): void {
    this.#host.apply(changeAwaits(this.#host.snapshot(), change));
  }

  /** Anything that an event that ended before has set off may still go on elsewhere. The operation that follows it knows. */
  #raisedAgain({ ended, outcome, operation: follows }: Report): void {
    const snapshot = this.#host.snapshot();
    const { type, key, life, engagements } = snapshot;
    const operation = follows ?? engagements.at(-1)?.operation;
    if (operation === undefined) return;
    for (const awaited of this.#waits()) {
      if (awaited.kind !== 'event' || !ended.includes(awaited.engagement)) continue;
      const { engagement } = awaited;
      const message = { kind: 'await', by: { type, key, life }, engagement, outcome } as const;
      this.#host.apply({ snapshot, effects: [{ kind: 'tell', operation, message }] });
    }
  }
}

function isRefusal(answer: Answer | undefined): boolean {
  return answer?.kind === 'refused' || (answer?.kind === 'sealed' && answer.rejection !== undefined);
}

/** The rejection for an entity that was reserved and does not exist any more. */
function gone(to: EntityRef, event: string): Rejection {
  const entity = entityId(to);
  const message = `'${event}' was to be raised on ${entity}, which had been reserved and is gone.`;
  return { code: 'reservation_ended', message, entity, event };
}

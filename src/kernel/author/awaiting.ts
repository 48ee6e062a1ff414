/*
 * All that the running action waits for on other entities. S3.8
 *
 * awaiting.1. The snapshot shows a wait from its beginning to its end. A wait always ends: with the answer, the time limit, the
 *     abortion of the action, or because the action waits for itself.
 * awaiting.2. An answer that nobody waits for any more changes nothing.
 * awaiting.3. An event for which the action stops waiting is withdrawn, so that it does not begin later, when nobody expects
 *     it.
 * awaiting.4. A wait that an earlier run has left is taken up by the code that runs again, where it had asked: nothing is asked
 *     twice, and an answer that comes before the code does is kept. What the code does not take up is left as in awaiting.3.
 */
import { Aborted, Defect, WaitTimedOut } from '../../definition/action-errors.js';
import type { RaiseOutcome } from '../../definition/action-context.js';
import { asDeclared } from '../../definition/duration.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Report } from '../../protocol/report.js';
import { entityId, parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { Probe } from '../../protocol/probe.js';
import { raisedAgain } from '../../protocol/raise-id.js';
import type { ReservedEntity, SeenEntity, View } from '../../protocol/reading.js';
import type { Hold, Sealed } from '../../protocol/reservation.js';
import type { Awaited, Place } from '../../protocol/snapshot.js';
import { eventTooLarge } from '../rules/event-size.js';
import { requireTargets, type LinkTarget } from '../rules/link-target.js';
import { unchained } from '../rules/chain.js';
import { circleOf, probeAgain } from '../reservations/circle.js';
import { defer } from '../engagements/owed-judgements.js';
import type { Following } from '../run/following.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { Undeliverable } from '../run/outbox.js';
import { notRejected } from '../engagements/rejected-raises.js';
import { askFor, beginLeases, heldReservations, hold, releaseOf } from '../reservations/holding.js';
import { lookAfterSuccessors } from '../successors/look.js';
import { raiseOn, type RaiseIntent } from '../successors/raise.js';
import { absent } from '../successors/receive.js';
import { refused } from '../successors/refused-wait.js';
import { askForSeal, hasSealed, noteSealed, notSealed, sealedWithin, type Sealing } from '../successors/sealing.js';
import type { Effect, Step } from '../rules/step.js';
import { changeAwaits, firstInquiries, untilAnswered, type Counted } from './long-wait.js';
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
  /** Those that are reserved together with it, and whose leases begin when it is granted. holding.1 */
  readonly begins?: readonly EntityRef[];
}

/** One wait, as the action asks for it. */
type Intent = Awaited extends infer A
  ? A extends Awaited
    ? Omit<A, 'wait' | 'on' | 'until' | 'place' | 'inquiries'>
    : never
  : never;

interface Asked {
  readonly on: EntityRef;
  readonly intent: Intent;
  readonly withinMs: number;
  readonly place: Place;
  readonly ask: (wait: string) => Step;
  /** Tells whether the answer is not needed any more. */
  readonly inVain?: () => boolean;
}

export class Awaiting {
  readonly #live: LiveEntity;
  readonly #following: Following;
  /** The answers by the name of the wait; none while it goes on. */
  readonly #answers = new Map<string, Answer | undefined>();
  /** All that was asked again, by the name of the wait. */
  readonly #inquiries = new Map<string, Counted>();
  /** The waits that an earlier run has left, until they are taken up. awaiting.4 */
  readonly #left: Set<string>;

  constructor(live: LiveEntity, following: Following) {
    this.#live = live;
    this.#following = following;
    this.#left = new Set(this.#waits().flatMap(({ wait, place }) => (place === undefined ? [] : [wait])));
    for (const wait of this.#left) this.#answers.set(wait, undefined);
  }

  /** Tells whether a run can end amid this wait: the next one takes it up. awaiting.4 */
  travels({ place, wait }: Awaited): boolean {
    return place !== undefined && this.#answers.has(wait) && this.#answers.get(wait) === undefined;
  }

  /** Tells whether the action waits for something that it has asked for at this place. */
  #waitsAt(place: Place): boolean {
    return this.#waits().some((each) => each.place && isSamePlace(each.place, place));
  }

  /** All that the action waits for, as the next run takes it over. */
  carried(): readonly Awaited[] {
    return this.#waits().map((awaited) => {
      const inquiries = this.#inquiries.get(awaited.wait);
      return inquiries ? { ...awaited, inquiries: { ...inquiries } } : awaited;
    });
  }

  /** Stops waiting for what the action's code has not taken up, since the action has ended. awaiting.4 */
  leave(): void {
    for (const awaited of this.#waits()) {
      const { wait, on } = awaited;
      if (!this.#left.has(wait)) continue;
      const to = parseEntityId(on);
      if (to) this.#end(to, awaited, this.#answers.get(wait));
    }
    this.#left.clear();
  }

  /** @throws WaitTimedOut, Aborted, LinkTargetAbsent, Defect */
  async raise(intent: RaiseIntent, withinMs: number, place: Place): Promise<RaiseOutcome> {
    const tooLarge = eventTooLarge(intent.to, intent.request);
    if (tooLarge) throw new Defect(tooLarge.code, tooLarge.message);
    if (intent.targets && !this.#waitsAt(place)) await this.requireTargets(intent.targets, place);
    const until = this.#live.now() + withinMs;
    const second = { ...place, part: 'again' };
    const isSecond = this.#waitsAt(second);
    let outcome = isSecond ? undefined : await this.#raise(intent, withinMs, place);
    if (isSecond || (outcome && isWithdrawn(outcome))) {
      // An earlier attempt has withdrawn this request, and the answer to that comes only now.
      const { id, ...request } = intent.request;
      const again = { ...intent, request: { id: notRejected(this.#live.snapshot, raisedAgain(id)), ...request } };
      outcome = await this.#raise(again, until - this.#live.now(), second);
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
  async #raise(intent: RaiseIntent, withinMs: number, place: Place): Promise<EngagementOutcome | undefined> {
    const { to, request } = intent;
    const { id: engagement, event } = request;
    const answer = await this.#wait({
      ...{ on: to, intent: { kind: 'event', engagement, event }, withinMs, place },
      ask: (wait) => raiseOn(this.#live.snapshot, [{ ...intent, request: { ...request, awaited: wait } }]),
    });
    return answer?.kind === 'outcome' ? answer.outcome : undefined;
  }

  /** @throws WaitTimedOut, Aborted */
  async read(of: EntityRef, withinMs: number, place: Place): Promise<SeenEntity | undefined> {
    const ask = (wait: string): Step => {
      const snapshot = this.#live.snapshot;
      const { type, key, life, tenant } = snapshot;
      const from = { type, key, life };
      const message = { kind: 'read', from, wait, ...(tenant !== undefined && { tenant }) } as const;
      return { snapshot, effects: [{ kind: 'send', to: of, message }] };
    };
    const answer = await this.#wait({ on: of, intent: { kind: 'view' }, withinMs, place, ask });
    if (answer?.kind !== 'view') {
      throw new WaitTimedOut(`${entityId(of)} has not answered a read within ${asDeclared(withinMs)}.`);
    }
    return answer.view;
  }

  /** Waits until all targets of links are known to exist. @throws LinkTargetAbsent, WaitTimedOut, Aborted */
  requireTargets(targets: readonly LinkTarget[], place: Place): Promise<void> {
    return requireTargets(targets, (of, withinMs) => this.read(of, withinMs, { ...place, part: entityId(of) }));
  }

  /** Nothing when the entity does not exist. @throws WaitTimedOut, Aborted */
  async reserve(
    to: EntityRef,
    { leaseMs, hold, withinMs, begins }: ReservationTerms,
    place: Place,
  ): Promise<ReservedEntity | undefined> {
    const ask = (wait: string): Step => {
      const snapshot = this.#live.snapshot;
      const now = this.#live.now();
      return { snapshot, effects: [askFor(snapshot, to, { wait, leaseMs, hold, until: now + withinMs }, now)] };
    };
    const answer = await this.#wait({ on: to, intent: { kind: 'reservation', hold }, withinMs, place, ask });
    if (answer?.kind !== 'view') {
      throw new WaitTimedOut(`${entityId(to)} could not be reserved within the time that was given for it.`);
    }
    if (begins) this.#live.apply(beginLeases(this.#live.snapshot, begins, leaseMs, this.#live.now()));
    const { view, granted } = answer;
    return view && granted && { ...view, fence: granted.fence, until: granted.until };
  }

  /**
   * Waits until all entities that the action has reserved promise to admit its events.
   * @throws Rejected, ReservationEnded when one of them will not; Aborted, WaitRefused
   */
  async seal(wanted: readonly Sealing[]): Promise<void> {
    let refused = false;
    const inVain = () =>
      (refused ||= this.#waits().some(({ kind, wait }) => kind === 'seal' && isRefusal(this.#answers.get(wait))));
    const unanswered = wanted.filter((sealing) => !hasSealed(this.#live.snapshot, sealing));
    const asked = unanswered.map(async (sealing) => {
      const { on } = sealing.held;
      const { event } = sealing.raises[0]!.request;
      const ask = (wait: string) => askForSeal(this.#live.snapshot, sealing, wait);
      const withinMs = sealedWithin(sealing, this.#live.now());
      const answer = await this.#wait({
        on,
        intent: { kind: 'seal', event },
        withinMs,
        place: { part: sealing.held.wait },
        ask,
        inVain,
      });
      if (answer?.kind === 'sealed' && !answer.rejection) {
        this.#live.applyProbing({ snapshot: noteSealed(this.#live.snapshot, sealing), effects: [] });
        return undefined;
      }
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
        if (message.toLife === this.#live.snapshot.life) this.settled([message.engagement], message.outcome);
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
  async #wait({ inVain = () => false, ...asked }: Asked): Promise<Answer | undefined> {
    const { on, intent } = asked;
    this.#following.open();
    return this.#live.outlastSeen(async () => {
      const awaited = this.#takeUp(asked) ?? this.#begin(asked);
      const { wait } = awaited;
      const aborted = () => this.#live.snapshot.running?.aborted === true;
      const over = () => this.#answers.get(wait) !== undefined || aborted() || inVain();
      const ask = { look: () => this.#look(), probe: () => this.#probeAgain(awaited) };
      await untilAnswered(this.#live.driver, awaited, over, ask, this.#inquiriesOf(awaited));
      const answer = this.#answers.get(wait);
      // Time has gone on. chain.2
      if (!answer) this.#live.applyProbing({ snapshot: unchained(this.#live.snapshot, this.#live.now()), effects: [] });
      this.#end(on, awaited, answer);
      if (!answer && aborted()) throw new Aborted(`The action was aborted while it waited for ${entityId(on)}.`);
      if (answer?.kind === 'refused') throw refused(answer.circle, intent.kind === 'reservation');
      return answer;
    });
  }

  /** Ends a wait, with its answer or without one. */
  #end(on: EntityRef, awaited: Awaited, answer: Answer | undefined): void {
    const { wait, kind } = awaited;
    this.#answers.delete(wait);
    this.#inquiries.delete(wait);
    // An action that has ended meanwhile may run again and have the same wait.
    const ofAction = this.#waits().some((each) => each.wait === wait);
    this.#change((awaits) => awaits.filter((each) => each.wait !== wait));
    // The reservation may be granted all the same, now or later.
    if (answer?.kind !== 'view' && kind === 'reservation') this.#post([releaseOf(on, wait)]);
    if (answer?.kind !== 'outcome' && kind === 'event' && ofAction) {
      this.#post([withdrawalOf(this.#live.snapshot, on, awaited.engagement)]);
    }
  }

  /** The wait that an earlier run has begun at this place. awaiting.4 */
  #takeUp({ place }: Asked): Awaited | undefined {
    if (this.#left.size === 0) return undefined;
    const left = this.#waits().find(
      (each) => each.place && isSamePlace(each.place, place) && this.#left.has(each.wait),
    );
    if (left) this.#left.delete(left.wait);
    return left;
  }

  #begin({ on, intent, withinMs, place, ask }: Asked): Awaited {
    const wait = this.#live.driver.uuid();
    this.#answers.set(wait, undefined);
    const awaited: Awaited = { ...intent, wait, on: entityId(on), until: this.#live.now() + withinMs, place };
    this.#change((awaits) => [...awaits, awaited]);
    this.#live.applyProbing(defer(this.#live.snapshot));
    this.#live.applyProbing(ask(wait));
    this.#live.driver.show(this.#live.snapshot);
    return awaited;
  }

  #inquiriesOf({ wait, inquiries }: Awaited): Counted {
    const { lookDistance } = this.#live.driver;
    const known = this.#inquiries.get(wait);
    const counted = known ?? { ...(inquiries ?? firstInquiries({ now: this.#live.now(), lookDistance })) };
    if (!known) this.#inquiries.set(wait, counted);
    return counted;
  }

  /** Looks after the successors that say nothing: one that is lost does not answer. S4.4 */
  #look(): void {
    const live = this.#live;
    live.apply(lookAfterSuccessors(live.entity, live.snapshot, live.now()));
  }

  #probeAgain(awaited: Awaited): void {
    const round = ++this.#inquiriesOf(awaited).round;
    this.#post(probeAgain(this.#live.snapshot, awaited, round));
  }

  /** Refuses the wait whose probe has come back: the action waits for itself. */
  #probed(probe: Probe): void {
    const circle = circleOf(this.#live.snapshot, probe);
    if (circle && this.#answers.get(probe.wait) === undefined) {
      this.#answers.set(probe.wait, { kind: 'refused', circle });
    }
  }

  /** Takes in how another entity is, and whether it is reserved now. awaiting.2 */
  #seen(message: View): void {
    const snapshot = this.#live.snapshot;
    const { wait, view, granted, from } = message;
    const awaited = this.#waits().find((each) => each.wait === wait);
    if (message.toLife === snapshot.life && awaited && this.#answers.get(wait) === undefined) {
      this.#answers.set(wait, { kind: 'view', ...(view && { view }), ...(granted && { granted }) });
      if (awaited.kind === 'reservation') this.#live.applyProbing(hold(snapshot, awaited, message));
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
    if (toLife !== this.#live.snapshot.life || !this.#waits().some((each) => each.wait === wait)) return;
    if (this.#answers.get(wait) === undefined)
      this.#answers.set(wait, { kind: 'sealed', ...(rejection && { rejection }) });
  }

  #post(effects: readonly Effect[]): void {
    this.#live.applyProbing({ snapshot: this.#live.snapshot, effects });
  }

  #waits(): readonly Awaited[] {
    return this.#live.snapshot.running?.awaits ?? [];
  }

  #change(change: (awaits: readonly Awaited[]) => readonly Awaited[]): void {
    this.#live.applyProbing(changeAwaits(this.#live.snapshot, change));
  }

  /** Anything that an event that ended before has set off may still go on elsewhere. The operation that follows it knows. */
  #raisedAgain({ ended, outcome, operation: follows }: Report): void {
    const snapshot = this.#live.snapshot;
    const { type, key, life, engagements } = snapshot;
    const operation = follows ?? engagements.at(-1)?.operation;
    if (operation === undefined) return;
    for (const awaited of this.#waits()) {
      if (awaited.kind !== 'event' || !ended.includes(awaited.engagement)) continue;
      const { engagement } = awaited;
      const message = { kind: 'await', by: { type, key, life }, engagement, outcome } as const;
      this.#live.applyProbing({ snapshot, effects: [{ kind: 'tell', operation, message }] });
    }
  }
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.ask === other.ask && one.part === other.part;
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

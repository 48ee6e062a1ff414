/*
 * Waits of the running action on other entities: its code goes on when the snapshot has the answer. S3.8
 */
import type { RaiseOutcome } from '../../definition/action-context.js';
import { Aborted, Defect, WaitTimedOut } from '../../definition/action-errors.js';
import { asDeclared } from '../../definition/duration.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import { raisedAgain } from '../../protocol/raise-id.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import type { Hold } from '../../protocol/reservation.js';
import type { AwaitAnswer, Awaited, Place } from '../../protocol/snapshot.js';
import { defer } from '../engagements/owed-judgements.js';
import { notRejected } from '../engagements/rejected-raises.js';
import { askFor, beginLeases } from '../reservations/holding.js';
import { unchained } from '../rules/chain.js';
import { eventTooLarge } from '../rules/event-size.js';
import { requireTargets, type LinkTarget } from '../rules/link-target.js';
import type { Step } from '../rules/step.js';
import type { Following } from '../run/following.js';
import type { LiveEntity } from '../run/live-entity.js';
import { raiseOn, type RaiseIntent } from '../successors/raise.js';
import { refused } from '../successors/refused-wait.js';
import { askForSeal, hasSealed, noteSealed, notSealed, sealedWithin, type Sealing } from '../successors/sealing.js';
import { isWithdrawn } from '../successors/withdraw.js';
import {
  awaitAt,
  awaitNamed,
  awaitsOf,
  changeAwait,
  changeAwaits,
  endAwait,
  leftAt,
  summaryOf,
} from '../waits/awaits.js';
import { firstInquiries, inquire, nextInquiry } from '../waits/inquire.js';

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
    ? Omit<A, 'wait' | 'on' | 'until' | 'place' | 'left' | 'inquiries' | 'answer'>
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

  constructor(live: LiveEntity, following: Following) {
    this.#live = live;
    this.#following = following;
  }

  /** @throws WaitTimedOut, Aborted, LinkTargetAbsent, Defect */
  async raise(intent: RaiseIntent, withinMs: number, place: Place): Promise<RaiseOutcome> {
    const tooLarge = eventTooLarge(intent.to, intent.request);
    if (tooLarge) throw new Defect(tooLarge.code, tooLarge.message);
    if (intent.targets && !awaitAt(this.#live.snapshot, place)) await this.requireTargets(intent.targets, place);
    const until = this.#live.now() + withinMs;
    const second = { ...place, part: 'again' };
    const isSecond = awaitAt(this.#live.snapshot, second) !== undefined;
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
      (refused ||= awaitsOf(this.#live.snapshot).some(({ kind, answer }) => kind === 'seal' && isRefusal(answer)));
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

  /** The answer, or nothing when the time is over. */
  async #wait({ inVain = () => false, ...asked }: Asked): Promise<AwaitAnswer | undefined> {
    const live = this.#live;
    const { on, intent } = asked;
    this.#following.open();
    return live.outlastSeen(async () => {
      const awaited = this.#takeUp(asked) ?? this.#begin(asked);
      const given = () => awaitNamed(live.snapshot, awaited.wait)?.answer;
      const aborted = () => live.snapshot.running?.aborted === true;
      await this.#untilOver(awaited, () => given() !== undefined || aborted() || inVain());
      const answer = given();
      // Time has gone on. chain.2
      if (!answer) live.change((snapshot) => unchained(snapshot, live.now()));
      live.apply(endAwait(live.snapshot, on, awaited));
      if (!answer && aborted()) throw new Aborted(`The action was aborted while it waited for ${entityId(on)}.`);
      if (answer?.kind === 'refused') throw refused(answer.circle, intent.kind === 'reservation');
      return answer;
    });
  }

  /** Waits until it is over or the time has passed, and asks again what has to be asked meanwhile. */
  async #untilOver(awaited: Awaited, over: () => boolean): Promise<void> {
    const live = this.#live;
    const { driver, entity } = live;
    for (let each = awaited; ;) {
      if (await driver.until(over, nextInquiry(each) - live.now(), summaryOf(each))) return;
      const now = live.now();
      if (now >= each.until) return;
      const asked = inquire(
        entity,
        live.snapshot,
        awaitNamed(live.snapshot, each.wait) ?? each,
        now,
        driver.lookDistance,
      );
      live.applyProbing(asked);
      each = asked.awaited;
    }
  }

  /** The wait that an earlier run has begun at this place. awaits.4 */
  #takeUp({ place }: Asked): Awaited | undefined {
    const taken = leftAt(this.#live.snapshot, place);
    if (taken) this.#live.change((snapshot) => changeAwait(snapshot, taken));
    return taken;
  }

  #begin({ on, intent, withinMs, place, ask }: Asked): Awaited {
    const live = this.#live;
    const wait = live.driver.uuid();
    const now = live.now();
    const inquiries = intent.kind === 'view' ? undefined : firstInquiries(now, live.driver.lookDistance);
    const about = { wait, on: entityId(on), until: now + withinMs, place, ...(inquiries && { inquiries }) };
    const awaited: Awaited = { ...intent, ...about };
    live.change((snapshot) => changeAwaits(snapshot, (awaits) => [...awaits, awaited]));
    live.applyProbing(defer(live.snapshot));
    live.applyProbing(ask(wait));
    live.driver.show(live.snapshot);
    return awaited;
  }
}

function isRefusal(answer: AwaitAnswer | undefined): boolean {
  return answer?.kind === 'refused' || (answer?.kind === 'sealed' && answer.rejection !== undefined);
}

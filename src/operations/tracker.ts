/*
 * How an operation is followed to its end. Deterministic: the same messages give the same status.
 *
 * tracker.1. The operation is done when every engagement and judgement that it knows has ended, and no participant has reported
 *     last that it rests in a waiting state. S4.2
 * tracker.2. Late, doubled and reordered messages do no harm: what has ended stays ended, and only the report of a newer
 *     version replaces the last report of a participant. S4.4
 * tracker.3. An action that waits for an event is told once, when all that the event has set off is done as in tracker.1. Two
 *     things are left out: what waits for this action itself, and deferred judgements, which come only after another waiting
 *     action that may wait for this one. S4.2, S3.8
 * tracker.4. The operation does not wait for a lost participant. It counts again if it sends a message after all. S4.4
 * tracker.5. When an event that an action has raised is rejected unexpectedly, this is an error of the operation, until a later
 *     attempt raises the event again and it is accepted. S3.6, S5.1
 * tracker.6. An end on the root from before the beginning of the operation ends nothing in it. S4.4
 * tracker.7. An event that was raised first for another operation is followed by that one alone. S3.4
 * tracker.8. A participant is asked to cancel again only after it has refused. One that was never asked is asked by a later request
 *     only where all have refused: otherwise what it does may be the answer to an earlier one. S4.7
 * tracker.9. An event that time has raised at rest, and that has set nothing off, leaves no item. An operation that waits for days, with a
 *     timer each minute, would grow until Temporal refuses to continue it. Q1
 */
import { cancelId, isCancelOf } from '../protocol/cancel-id.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { Cause, OperationMessage } from '../protocol/operation-message.js';
import type { OperationStart } from '../protocol/operation-start.js';
import { type EngagementOutcome, errorOfState, failedInState } from '../protocol/outcome.js';
import { lifeName, type LivingRef } from '../protocol/refs.js';
import { entityId, parseEntityId, type EntityRef } from '../protocol/names.js';
import { firstRaise } from '../protocol/raise-id.js';
import { ItemGraph } from './item-graph.js';
import type {
  Await,
  CancelRefusal,
  Interruption,
  OperationError,
  OperationReservation,
  OperationOutcome,
  OperationStatus,
  Participant,
} from './status.js';

/** A message that the operation sends to an entity. */
export interface Notice {
  readonly to: EntityRef;
  readonly message: EntityMessage;
}

type Ended = Extract<OperationMessage, { kind: 'ended' }>;

export class OperationTracker {
  readonly #items: ItemGraph;
  readonly #participants: Map<string, Participant>;
  /** The items that have touched each participant that rests in a waiting state. */
  readonly #waiting: Map<string, number[]>;
  /** The last look that did not find an entity, by entity. */
  readonly #misses = new Map<string, number>();
  /** How often the operation has looked after participants that say nothing. */
  #round = 0;
  #awaits: Await[];
  #interruptions: Interruption[];
  #reservations: OperationReservation[];
  #errors: OperationError[];
  #refusals: readonly CancelRefusal[];
  /** Raises that a later attempt has got accepted; the first attempt may have been rejected. */
  readonly #madeGood: Set<string>;
  #rest: Omit<
    OperationStatus,
    | 'items'
    | 'participants'
    | 'waiting'
    | 'awaits'
    | 'interruptions'
    | 'reservations'
    | 'errors'
    | 'madeGood'
    | 'refusals'
  >;

  constructor(status: OperationStatus) {
    const { items, participants, waiting, awaits, interruptions, reservations, errors, madeGood, ...others } = status;
    const { refusals = [], ...rest } = others;
    this.#items = new ItemGraph(items);
    this.#participants = new Map(Object.entries(participants));
    this.#waiting = new Map(Object.entries(waiting).map(([name, via]) => [name, [...via]]));
    this.#awaits = [...awaits];
    this.#interruptions = [...interruptions];
    this.#reservations = [...reservations];
    this.#errors = [...errors];
    this.#refusals = refusals;
    this.#madeGood = new Set(madeGood);
    this.#rest = rest;
  }

  static start(start: OperationStart): OperationTracker {
    const { kind: _, ...described } = start;
    const root = { id: start.root.engagement, kind: 'engagement', on: entityId(start.root), state: 'open' } as const;
    return new OperationTracker({
      ...described,
      outcome: 'running',
      restarts: 0,
      hung: false,
      cancel: 'none',
      items: [{ ...root, causes: [] }],
      participants: {},
      waiting: {},
      awaits: [],
      interruptions: [],
      reservations: [],
      errors: [],
      madeGood: [],
    });
  }

  get id(): string {
    return this.#rest.id;
  }

  /** When the operation is to be marked as hung (milliseconds since 1970), if it has a budget and is not marked yet. S5.3 */
  get hungAt(): number | undefined {
    const { budgetMs, startedAt, hung } = this.#rest;
    return budgetMs === undefined || hung ? undefined : startedAt + budgetMs;
  }

  /** How many participants the operation has. */
  get size(): number {
    return this.#participants.size;
  }

  /** Tells whether another request to cancel asks participants that have refused. tracker.8 */
  get asksAgain(): boolean {
    return this.#refusals.length > 0;
  }

  /** tracker.1 */
  get done(): boolean {
    return this.#items.openCount === 0 && this.#waiting.size === 0;
  }

  status(): OperationStatus {
    return {
      ...this.#rest,
      items: this.#items.all(),
      participants: Object.fromEntries(this.#participants),
      waiting: Object.fromEntries([...this.#waiting].map(([name, via]) => [name, [...via]])),
      awaits: [...this.#awaits],
      interruptions: [...this.#interruptions],
      reservations: [...this.#reservations],
      errors: [...this.#errors],
      madeGood: [...this.#madeGood],
      ...(this.#refusals.length > 0 && { refusals: this.#refusals }),
    };
  }

  /** Takes in a message, and gives the notices that have to be sent because of it. */
  hear(message: OperationMessage): readonly Notice[] {
    switch (message.kind) {
      case 'ended':
        this.#end(message);
        break;
      case 'judged': {
        const judged = message.judgements.map((id) => this.#items.end({ id, kind: 'judgement', on: '' }));
        for (const caused of message.caused) this.#cause(caused, judged);
        break;
      }
      case 'deferred':
        for (const id of message.judgements) this.#items.defer({ id, kind: 'judgement', on: message.by });
        break;
      case 'followed':
        this.#followedElsewhere(message);
        break;
      case 'moved':
        this.#lastWord(message.participant, message.outcome);
        break;
      case 'await':
        this.#waitAgain(message);
        break;
      case 'interrupted':
        this.#interrupted(message);
        break;
      case 'reserved':
        this.#reserved(message);
        break;
      case 'unknown':
        return this.#unknown(message);
      case 'cancel':
        return this.#cancel();
    }
    if ('participant' in message) this.#misses.delete(entityId(message.participant));
    return this.#fulfilled();
  }

  /** Looks after participants that have said nothing. S4.4 */
  inquiries(): readonly Notice[] {
    this.#round++;
    const open = new Map<string, { readonly engagements: string[]; readonly judgements: string[] }>();
    for (const { id, kind, on } of this.#items.open()) {
      const known = open.get(on) ?? { engagements: [], judgements: [] };
      (kind === 'engagement' ? known.engagements : known.judgements).push(id);
      open.set(on, known);
    }
    const lives = new Map<string, string>();
    for (const name of this.#waiting.keys()) {
      const participant = this.#participants.get(name)!;
      lives.set(entityId(participant), participant.life);
    }
    return [...new Set([...open.keys(), ...lives.keys()])].flatMap((on) => {
      const to = parseEntityId(on);
      const life = lives.get(on);
      const asked = {
        kind: 'inquiry',
        operation: this.id,
        round: this.#round,
        ...(open.get(on) ?? { engagements: [], judgements: [] }),
      } as const;
      return to ? [{ to, message: { ...asked, ...(life !== undefined && { life }) } }] : [];
    });
  }

  /**
   * Notes that a notice found nobody. Twice in a row means that the entity is lost; once may mean that a life is about to
   * begin.
   */
  missed({ to, message }: Notice): readonly Notice[] {
    if (message.kind === 'inquiry' && !this.#missTwice(to, message.round)) return [];
    if (message.kind !== 'inquiry' && message.kind !== 'cancel') return [];
    const on = entityId(to);
    const open = this.#items.open().filter((item) => item.on === on);
    if (message.kind === 'cancel') this.#lose(message.engagement, on);
    else {
      for (const { id } of open) this.#lose(id, on);
      for (const name of [...this.#waiting.keys()]) if (name.startsWith(`${on}#`)) this.#loseWaiting(name);
    }
    return this.#fulfilled();
  }

  /** Releases what participants have reserved for the operation when it is done, once. S3.6 */
  releases(): readonly Notice[] {
    const operation = this.id;
    const notices = this.#reservations.map(({ on, wait }): Notice => {
      return { to: on, message: { kind: 'release', wait, operation } };
    });
    this.#reservations = [];
    return notices;
  }

  /** Marks an operation that still runs after its budget as hung. S5.3 */
  markHung(): void {
    this.#rest = { ...this.#rest, hung: true };
  }

  /**
   * Ends the operation. It failed when a participant was led into an error state or an error was not made good. It is canceled when
   * a cancel was honoured, or when an event of another operation took the place of what was under way. S5.1
   */
  end(now: number): OperationStatus {
    const rejected = this.#rest.rejection !== undefined;
    // The states stand in where nobody has given a reason.
    if (!rejected && this.#errors.length === 0) this.#errors = this.#errorStates();
    const failed = rejected || this.#errors.length > 0;
    const canceled = this.#rest.cancel === 'honoured' || this.#interruptions.some(({ ends }) => ends);
    const outcome: OperationOutcome = failed ? 'failed' : canceled ? 'canceled' : 'success';
    this.#rest = { ...this.#rest, outcome, hung: false, endedAt: now };
    return this.status();
  }

  /** An error for each participant that has ended in an error state, unless it was in it before. */
  #errorStates(): OperationError[] {
    return [...this.#participants.values()].flatMap((each) => {
      const error = { ...errorOfState(each.state), ...this.#broughtThere(each) };
      return failedInState(each) ? [error] : [];
    });
  }

  /** Names what an error is about that nobody has reported. */
  #broughtThere({ event = this.#rest.root.event, ...participant }: Participant) {
    return { entity: entityId(participant), event, engagement: '' };
  }

  #end(message: Ended): void {
    const { engagement, participant, outcome, event } = message;
    const on = entityId(participant);
    const known = this.#items.find(engagement);
    if (known?.state === 'ended' || this.#isOfBefore(message)) return;
    if (known?.state === 'lost') this.#errors = this.#errors.filter((error) => error.engagement !== engagement);
    const { dimensions = this.#rest.dimensions, restarts = 0 } = message;
    this.#rest = { ...this.#rest, dimensions, restarts: this.#rest.restarts + restarts };
    if (!known && isOverAtOnce(message)) return this.#lastWord(participant, outcome, { event });
    const item = this.#items.end({ id: engagement, kind: 'engagement', on });
    for (const caused of message.caused) this.#cause(caused, [item]);
    for (const { id, by } of message.judgements) this.#items.add({ id, kind: 'judgement', on: by }, [item]);
    if (message.awaiter) this.#awaits.push({ by: message.awaiter, item, outcome });
    if (outcome.canceled) this.#interruptions.push({ entity: on, by: this.id, ends: true });
    this.#countRejection(message, on);
    if (outcome.error) this.#errors.push({ ...outcome.error, entity: on, event, engagement });
    if (this.#isCancel(engagement)) this.#cancelAnswered(message, on);
    if (!outcome.rejection) {
      this.#lastWord(participant, outcome, { event, item });
    } else if (engagement === this.#rest.root.engagement) {
      this.#rest = { ...this.#rest, rejection: outcome.rejection };
    }
  }

  /** Waits no longer for an event that another operation follows. tracker.7 */
  #followedElsewhere({ engagement, participant }: Extract<OperationMessage, { kind: 'followed' }>): void {
    const known = this.#items.find(engagement);
    if (known?.state === 'ended') return;
    if (known?.state === 'lost') this.#errors = this.#errors.filter((error) => error.engagement !== engagement);
    this.#items.end({ id: engagement, kind: 'engagement', on: entityId(participant) });
  }

  /**
   * Tells whether a message is from an earlier life of the root that was ended by hand, when the same request was raised again on the
   * next life. The late message does not end what goes on now. tracker.6
   */
  #isOfBefore({ engagement, at }: Ended): boolean {
    const { root, startedAt } = this.#rest;
    return engagement === root.engagement && at !== undefined && at < startedAt;
  }

  /** Counts a rejected raise as an error, unless a later attempt raises it again and it is accepted. tracker.5 */
  #countRejection({ engagement, event, outcome: { rejection }, unexpected }: Ended, on: string): void {
    const raise = firstRaise(engagement);
    const before = this.#errors.filter((each) => !each.rejected || firstRaise(each.engagement) !== raise);
    if (!rejection) {
      if (raise !== engagement) this.#madeGood.add(raise);
      this.#errors = before;
    } else if (unexpected && !this.#madeGood.has(raise)) {
      const { code, message } = rejection;
      const error = { kind: 'rejected', code, message, rejected: true } as const;
      this.#errors = [...before, { ...error, entity: on, event, engagement }];
    }
  }

  #reserved({ on, wait }: OperationReservation): void {
    if (this.#reservations.some((known) => known.wait === wait)) return;
    this.#reservations.push({ on, wait });
  }

  #cause({ engagement, ...cause }: Cause, causes: readonly number[]): void {
    this.#items.add({ id: engagement, kind: 'engagement', ...cause }, causes);
  }

  /** Notes how a participant stands; where an event of this operation has brought it there, by which one. */
  #lastWord(
    participant: LivingRef,
    outcome: EngagementOutcome,
    { event, item }: { readonly event?: string; readonly item?: number } = {},
  ): void {
    const name = lifeName(participant);
    const known = this.#participants.get(name);
    if (item !== undefined) this.#waiting.get(name)?.push(item);
    if (known && known.version > outcome.version) return;
    const { type, key, life } = participant;
    const { state, version, health, wasInError } = outcome;
    // After an interruption, an earlier message of the same version may come late.
    const waiting = outcome.waiting && (known?.version !== version || known.waiting);
    const standing = { state, version, health, ...(wasInError && { wasInError }) };
    const by = event ?? known?.event;
    this.#participants.set(name, { type, key, life, ...(by !== undefined && { event: by }), ...standing, waiting });
    if (!waiting) this.#waiting.delete(name);
    else if (!this.#waiting.has(name)) this.#waiting.set(name, item === undefined ? [] : [item]);
  }

  #waitAgain({ by, engagement, outcome }: Extract<OperationMessage, { kind: 'await' }>): void {
    const position = this.#items.positionOf(engagement);
    if (position === undefined) return;
    if (!this.#awaits.some((each) => each.item === position)) this.#awaits.push({ by, item: position, outcome });
  }

  /** The notices to the actions whose waits have ended. tracker.3 */
  #fulfilled(): readonly Notice[] {
    const notices: Notice[] = [];
    this.#awaits = this.#awaits.filter((each) => {
      if (!this.#isSettled(each)) return true;
      const engagement = this.#items.at(each.item).id;
      const outcome = this.#lastOutcome(each);
      const message: EntityMessage = { kind: 'awaited', toLife: each.by.life, engagement, outcome };
      notices.push({ to: { type: each.by.type, key: each.by.key }, message });
      return false;
    });
    return notices;
  }

  #isSettled({ by, item }: Await): boolean {
    const waiter = entityId(by);
    const below = this.#items.descendantsOf(item);
    for (const position of this.#items.openPositions()) {
      const { on, deferred } = this.#items.at(position);
      // The waiting entity ends its own part only after its action, so nobody waits for that part.
      if (on !== waiter && !deferred && below(position)) return false;
    }
    for (const [name, via] of this.#waiting) {
      if (entityId(this.#participants.get(name)!) !== waiter && via.some(below)) return false;
    }
    return true;
  }

  /** How the entity of the event stands now: it may have gone on since the event ended. */
  #lastOutcome({ outcome, item }: Await): EngagementOutcome {
    if (outcome.rejection) return outcome;
    const { on } = this.#items.at(item);
    const latest = [...this.#participants.values()].filter((each) => entityId(each) === on).at(-1);
    if (!latest) return outcome;
    const { state, version, health, waiting } = latest;
    return { ...outcome, state, version, health, waiting };
  }

  #interrupted({ participant, by, outcome }: Extract<OperationMessage, { kind: 'interrupted' }>): void {
    const entity = entityId(participant);
    const at = this.#interruptions.findIndex((known) => known.entity === entity && known.by === by);
    // The same operation may interrupt again, with another event that does take the place.
    if (at === -1) this.#interruptions.push({ entity, by, ends: outcome !== undefined });
    else if (outcome) this.#interruptions[at] = { entity, by, ends: true };
    if (outcome) this.#lastWord(participant, outcome);
  }

  #unknown(message: Extract<OperationMessage, { kind: 'unknown' }>): readonly Notice[] {
    const { participant, round, engagements, judgements, anotherLife } = message;
    if (!this.#missTwice(participant, round)) return [];
    const on = entityId(participant);
    for (const id of [...engagements, ...judgements]) this.#lose(id, on);
    if (anotherLife) {
      for (const [name, each] of this.#participants) {
        if (entityId(each) === on && each.life !== participant.life && this.#waiting.has(name)) this.#loseWaiting(name);
      }
    }
    return this.#fulfilled();
  }

  /** Tells whether an earlier look missed the entity too. The same look counts once, even if its result comes twice. tracker.2 */
  #missTwice(ref: EntityRef, round: number): boolean {
    const id = entityId(ref);
    const missed = this.#misses.get(id);
    this.#misses.set(id, round);
    return missed !== undefined && missed !== round;
  }

  #lose(id: string, on: string): void {
    const item = this.#items.find(id);
    if (item?.state !== 'open') return;
    this.#items.end(item, 'lost');
    if (this.#isCancel(id)) return this.#noteRefused();
    if (item.kind === 'judgement') return;
    const error = {
      kind: 'needs_operator',
      code: 'lost',
      message: `${on} was terminated before '${id}' had ended on it.`,
    } as const;
    this.#errors.push({ ...error, entity: on, event: item.event ?? this.#rest.root.event, engagement: id });
  }

  #loseWaiting(name: string): void {
    const known = this.#participants.get(name)!;
    this.#participants.set(name, { ...known, waiting: false, health: 'error', lost: true });
    this.#waiting.delete(name);
    const about = this.#broughtThere(known);
    const message = `${about.entity} was terminated while it waited for its successors in ${known.state}.`;
    this.#errors.push({ kind: 'needs_operator', code: 'lost', message, ...about });
  }

  /** Asks all that have not settled to cancel, and again those that have refused. S4.7, tracker.8 */
  #cancel(): readonly Notice[] {
    const { cancel } = this.#rest;
    const refused = this.#refusals.map(({ entity }) => entity);
    const all = cancel === 'none' || cancel === 'refused';
    if (!all && refused.length === 0) return [];
    const open = this.#items.open().filter(({ id, kind }) => kind === 'engagement' && !this.#isCancel(id));
    const waiting = [...this.#waiting.keys()].map((name) => entityId(this.#participants.get(name)!));
    const unsettled = [...new Set([...open.map(({ on }) => on), ...waiting])];
    const asked = unsettled.filter((on) => all || refused.includes(on));
    if (cancel !== 'none' && asked.length === 0) return [];
    this.#refusals = this.#refusals.filter(({ entity }) => !asked.includes(entity));
    if (cancel !== 'honoured') this.#rest = { ...this.#rest, cancel: 'requested' };
    return asked.flatMap((on) => {
      const to = parseEntityId(on);
      if (!to) return [];
      const engagement = this.#nextCancelId(on);
      this.#items.add({ id: engagement, kind: 'engagement', on }, []);
      return [{ to, message: { kind: 'cancel', operation: this.id, engagement } }];
    });
  }

  /** Notes how a participant has answered a request to cancel. */
  #cancelAnswered({ event, outcome: { rejection }, at = this.#rest.startedAt }: Ended, on: string): void {
    if (rejection) {
      const { code, message } = rejection;
      this.#refusals = [...this.#refusals, { entity: on, event, code, message, at }];
    } else this.#rest = { ...this.#rest, cancel: 'honoured' };
    this.#noteRefused();
  }

  /** The request is refused when all have answered, and one at least has refused while none has honoured it. */
  #noteRefused(): void {
    if (this.#rest.cancel !== 'requested' || this.#refusals.length === 0) return;
    if (this.#items.open().some(({ id }) => this.#isCancel(id))) return;
    this.#rest = { ...this.#rest, cancel: 'refused' };
  }

  #isCancel(engagement: string): boolean {
    return isCancelOf(this.id, engagement);
  }

  /** The id of the next request that asks an entity to cancel. The entity remembers the answer to each by its id. */
  #nextCancelId(on: string): string {
    const first = cancelId(this.id, on);
    const isKnown = (id: string) => this.#items.find(id) !== undefined;
    if (!isKnown(first)) return first;
    for (let round = 2; ; round++) {
      const id = cancelId(this.id, `${round}/${on}`);
      if (!isKnown(id)) return id;
    }
  }
}

/** Tells whether nobody will name the event again, and nothing has to be counted once. tracker.9 */
function isOverAtOnce({ uncaused, caused, judgements, awaiter, restarts = 0, outcome }: Ended): boolean {
  if (!uncaused || caused.length > 0 || judgements.length > 0 || awaiter || restarts > 0) return false;
  return !outcome.error && !outcome.rejection && !outcome.canceled;
}

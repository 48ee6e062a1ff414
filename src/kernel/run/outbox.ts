import type { Creation } from '../../protocol/creation.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { Report } from '../../protocol/report.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, operationWorkflowId, sameEntity, type EntityRef } from '../../protocol/names.js';
import { MOST_JUDGEMENTS, MOST_MESSAGES, UNSENT_BYTES } from '../../definition/limits.js';
import { jsonBytes } from '../../protocol/size-problem.js';
import type { EntityDriver, MessageLimits } from './driver.js';
import { firstLedger } from '../ledger/ledger.js';
import { askUnless } from './ask-store.js';
import { lastWord, pastWord } from '../engagements/repeat.js';
import type { Effect } from '../rules/step.js';

/** The effects that go to others. Records go to the store another way. */
export type Message = Exclude<Effect, { kind: 'record' }>;

/** A message that found no target. */
export type Undeliverable = Extract<Effect, { kind: 'send' }>;

/** A message that has not begun, and its size in bytes from when somebody has asked for it. */
interface Unsent {
  effect: Message;
  bytes?: number | undefined;
}

/** The last message that was posted to a target. */
interface LastPosted {
  readonly number: number;
  readonly done: Promise<void>;
}

const LIMITS: MessageLimits = { atOnce: MOST_MESSAGES, unsentBytes: UNSENT_BYTES };

/** The code that hears how the effects ended. */
export interface OutboxOwner {
  /** Hears of a message whose target does not exist. */
  undeliverable(effect: Undeliverable): void;
  /** Hears the report that a deleted target would have sent, since it had known the request. */
  reported(report: Report, request: RaiseRequest): void;
  /** Hears of a message to an operation that has ended. */
  operationOver(message: OperationMessage): void;
  /** Hears that there is no deployment of this id. */
  noDeployment(id: string): void;
}

/**
 * Carries out effects: those to one target in order, others at the same time.
 *
 * outbox.1. An operation has its workflow before anyone else can tell it something.
 * outbox.2. No message is dropped: one that finds no target comes back. An event that an action has meanwhile raised again with
 *     the same request id is not sent any more: its end has been told, so an entity that is created there later must not accept
 *     it. S2.2
 * outbox.3. A request that a deleted entity has known runs nothing in its next life. S1.3
 * outbox.4. Once it keeps what is posted, it begins nothing more, and is empty when each target has answered once. The next
 *     run's outbox sends what was kept, in order and each once. What waits for the store waits there.
 * outbox.5. Only a limited number of messages is under way at a time, first come, first served; creations and all others take turns,
 *     so that thousands of new successors do not keep back what others wait for. The answers of more would come while a task goes
 *     on, and Temporal fails a task during which more than 100 things happen.
 * outbox.6. What was kept is sent in order after all, when the run goes on: the outbox is empty in that moment.
 * outbox.7. While others wait for their turn, judgements that come one after the other go to their operation in one message.
 */
export class Outbox {
  readonly #driver: EntityDriver;
  readonly #owner: OutboxOwner;
  /** By target, while anything is under way to it. */
  readonly #last = new Map<string, LastPosted>();
  /** Ends when all operations have their workflows that were to be opened so far. */
  #opened: Promise<unknown> | undefined;
  /** The requests that found nobody, by target, while anything is under way to it. */
  readonly #absent = new Map<string, Set<string>>();
  /**
   * Entities are created again one at a time: what an old entity leaves is large, and one task may become too large with
   * several.
   */
  #revival: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  /** The messages that were posted and have not begun, in order: they come after others, or wait for a place. */
  readonly #next = new Map<number, Unsent>();
  #posted = 0;
  /** The messages that are left to the next run, from the moment when the outbox keeps messages. */
  #kept: Message[] | undefined;
  #taken = 0;
  #limits: MessageLimits | undefined;
  /** Those that wait for a place: creations apart. */
  readonly #queue: (() => void)[] = [];
  readonly #creations: (() => void)[] = [];
  #creates = true;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(driver: EntityDriver, owner: OutboxOwner) {
    this.#driver = driver;
    this.#owner = owner;
  }

  /** Tells whether nothing is under way. */
  get empty(): boolean {
    return this.#underWay === 0;
  }

  /** @throws an error of the driver that no effect can cause: the workflow itself was ended. */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.thrown;
  }

  /** Tells whether what has not begun is small enough to go along into the next run. S1.5a */
  get mayBeKept(): boolean {
    if (this.#next.size === 0) return true;
    // The size of a JSON array of them. Each is measured once: this is asked for each of thousands of reports.
    let bytes = 1;
    for (const unsent of this.#next.values()) bytes += 1 + (unsent.bytes ??= jsonBytes(unsent.effect));
    return bytes <= this.#limit('unsentBytes');
  }

  /** Begins nothing from now on: what has not begun, and what is posted, is left to the next run. outbox.4 */
  keep(): void {
    this.#kept ??= Array.from(this.#next.values(), ({ effect }) => effect);
  }

  /** Sends what was kept, and keeps nothing any more. To be called when it is empty. outbox.6 */
  resume(): void {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    this.post(kept);
  }

  get kept(): readonly Message[] {
    return this.#kept ?? [];
  }

  post(effects: readonly Message[]): void {
    if (this.#kept) {
      this.#kept.push(...effects);
      return;
    }
    for (const effect of effects) {
      const target = targetOf(effect);
      const last = this.#last.get(target);
      if (last && this.#join(last.number, effect)) continue;
      const before = [last?.done, effect.kind === 'open' ? undefined : this.#opened];
      this.#underWay++;
      const number = ++this.#posted;
      const unsent: Unsent = { effect };
      const placed = before.every((each) => each === undefined) && !this.#isFull;
      if (placed) this.#taken++;
      else this.#next.set(number, unsent);
      const done = this.#carryOut(number, unsent, before, placed).finally(() => {
        this.#underWay--;
        if (this.#last.get(target)?.number === number) {
          this.#last.delete(target);
          this.#absent.delete(target);
        }
      });
      this.#last.set(target, { number, done });
      if (effect.kind === 'open') this.#isOpening(done);
    }
  }

  #isOpening(done: Promise<void>): void {
    // One promise stands for all: thousands may be opened at once, and each message waits for them.
    const all = Promise.all([this.#opened, done]).then(() => {
      if (this.#opened === all) this.#opened = undefined;
    });
    this.#opened = all;
  }

  async #carryOut(
    number: number,
    unsent: Unsent,
    before: readonly (Promise<unknown> | undefined)[],
    placed: boolean,
  ): Promise<void> {
    try {
      await Promise.all(before);
      if (!placed) await this.#takePlace(unsent.effect);
      try {
        const left = this.#next.delete(number) && this.#kept !== undefined;
        if (!left) await this.#perform(unsent.effect);
      } finally {
        this.#leavePlace();
      }
    } catch (thrown) {
      this.#failure ??= { thrown };
    }
  }

  async #takePlace({ kind }: Message): Promise<void> {
    if (!this.#isFull) this.#taken++;
    else {
      const queue = kind === 'create' && this.#isNarrow ? this.#creations : this.#queue;
      await new Promise<void>((turn) => queue.push(turn));
    }
  }

  /** Gives the place to the next that waits, if any. */
  #leavePlace(): void {
    this.#creates = !this.#creates;
    const [first, second] = this.#creates ? [this.#creations, this.#queue] : [this.#queue, this.#creations];
    const next = first.shift() ?? second.shift();
    if (next) next();
    else this.#taken--;
  }

  get #isFull(): boolean {
    return this.#taken >= MOST_MESSAGES && this.#taken >= this.#limit('atOnce');
  }

  /** Tells whether this run is not one of a build that had more messages under way, in order of their coming. */
  get #isNarrow(): boolean {
    return this.#limit('atOnce') === MOST_MESSAGES;
  }

  /** Asks the driver only when it matters: its answer is kept in the history of the run. */
  #limit(name: keyof MessageLimits): number {
    this.#limits ??= this.#driver.messageLimits?.() ?? LIMITS;
    return this.#limits[name];
  }

  /** Lets a judgement go along with the last message, if that has not begun and tells of judgements too. outbox.7 */
  #join(number: number, effect: Message): boolean {
    const unsent = this.#next.get(number);
    const both = unsent && this.#isFull && this.#isNarrow && joined(unsent.effect, effect);
    if (!both) return false;
    unsent.effect = both;
    unsent.bytes = undefined;
    return true;
  }

  async #perform(effect: Message): Promise<void> {
    switch (effect.kind) {
      case 'open':
        return this.#driver.openOperation(effect.operation);
      case 'tell':
        if ((await this.#driver.tellOperation(effect.operation, effect.message)) === 'absent') {
          this.#owner.operationOver(effect.message);
        }
        return;
      case 'create':
        return this.#create(effect.to, effect.creation);
      case 'send':
        return this.#send(effect);
      case 'deploy':
        return this.#driver.deploy(effect.deployment);
      case 'tell-deployment': {
        const { id, message } = effect;
        if ((await this.#driver.tellDeployment(id, message)) === 'absent') this.#owner.noDeployment(id);
        return;
      }
    }
  }

  async #create(to: EntityRef, creation: Creation): Promise<void> {
    const { request } = creation;
    if ((await this.#driver.createEntity(to, creation, false)) === 'created' || !request) return;
    // The entity exists, so the event goes to it and gets its declared answer.
    const raise: Undeliverable = { kind: 'send', to, message: { kind: 'raise', key: to.key, request } };
    if ((await this.#driver.sendMessage(to, raise.message)) === 'delivered') return;
    // The entity was deleted. It is created again, unless its last life has known the request.
    const revival = this.#revival.then(async () => {
      const last = await this.#driver.lastLife(to);
      // The new life asks what only the store knows.
      if (last && this.#report(lastWord(last, request), request)) return;
      const inheriting = { ...creation, again: true, ...(last && { inherits: last }) };
      if ((await this.#driver.createEntity(to, inheriting, true)) === 'exists') await this.#send(raise);
    });
    this.#revival = revival.catch(() => undefined);
    return revival;
  }

  async #send(effect: Undeliverable): Promise<void> {
    const { to, message } = effect;
    const absent = this.#absent.get(targetOf(effect));
    if (message.kind === 'raise' && absent?.has(message.request.id)) return;
    if ((await this.#driver.sendMessage(to, message)) === 'delivered') return;
    if (message.kind === 'raise') {
      const known = await this.#lastWord(to, message.request);
      // This message comes before all others that are left to the next run.
      if (known === 'unasked') return void this.#kept!.unshift(effect);
      if (this.#report(known, message.request)) return;
      this.#absent.set(targetOf(effect), new Set([...(absent ?? []), message.request.id]));
      this.#kept = this.#kept?.filter((each) => !raises(each, effect.to, message.request.id));
    }
    this.#owner.undeliverable(effect);
  }

  /** The report on a request that an entity knew which does not live any more. outbox.3, outbox.4 */
  async #lastWord(to: EntityRef, request: RaiseRequest): Promise<Report | 'unasked' | undefined> {
    const last = await this.#driver.lastLife(to);
    const ledger = last?.ledger ?? firstLedger(this.#driver.now(), undefined);
    const told = await askUnless(() => this.#kept !== undefined, this.#driver, to, ledger, request);
    if (!told) return 'unasked';
    const { past } = told;
    if (last) return lastWord(last, request, past);
    return past && pastWord(to, request, past);
  }

  #report(report: Report | undefined, request: RaiseRequest): boolean {
    if (report) this.#owner.reported(report, request);
    return report !== undefined;
  }
}

/** Two messages of judgements that set nothing off in one. */
function joined(before: Message, next: Message): Message | undefined {
  if (before.kind !== 'tell' || next.kind !== 'tell') return undefined;
  const [one, other] = [before.message, next.message];
  if (one.kind !== 'judged' || other.kind !== 'judged' || one.caused.length + other.caused.length > 0) return undefined;
  const judgements = [...one.judgements, ...other.judgements];
  return judgements.length > MOST_JUDGEMENTS ? undefined : { ...before, message: { ...one, judgements } };
}

function raises(effect: Message, to: EntityRef, request: string): boolean {
  if (effect.kind !== 'send' || effect.message.kind !== 'raise') return false;
  return effect.message.request.id === request && sameEntity(effect.to, to);
}

function targetOf(effect: Message): string {
  if (effect.kind === 'open') return operationWorkflowId(effect.operation.id);
  if (effect.kind === 'tell') return operationWorkflowId(effect.operation);
  if (effect.kind === 'deploy') return effect.deployment.id;
  if (effect.kind === 'tell-deployment') return effect.id;
  return entityId(effect.to);
}

/*
 * Takes in all that comes as a signal: messages of other entities and of operations, and events for which nobody waits.
 *
 * hearing.1. The sender of a signal with a request id can follow its operation, however soon that ends: the operation gets a
 *     workflow at once.
 * hearing.2. A signal without a request id is new. A message or a signal that is in doubt waits until the store has said what it knows of
 *     it, since nobody hears an answer. S2.5
 * hearing.3. A signal that is refused is recorded and dropped.
 */
import { LONGEST_CODE } from '../../definition/limits.js';
import { cut } from '../../definition/thrown.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import { entityId } from '../../protocol/names.js';
import type { OperationMessage } from '../../protocol/operation-message.js';
import { parseSignalOptions } from '../../protocol/parse.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { DecisionRecord } from '../../protocol/records.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Report } from '../../protocol/report.js';
import type { RaiseRequest, SignalOptions } from '../../protocol/request.js';
import { isUnopened, openOperations } from '../engagements/open.js';
import { followedElsewhere } from '../engagements/repeat.js';
import { endRejected } from '../engagements/settle.js';
import { mustWait, requestIn, withdraws, withhold, type Clearance } from '../ledger/doubt.js';
import { isKnown } from '../ledger/ledger.js';
import { isOutside } from '../rules/decide.js';
import { undelivered } from '../successors/undelivered.js';
import { loseDeployment } from '../turns/hear-deployment.js';
import { hear, type Cleared } from '../turns/hear.js';
import type { Asking } from '../author/asking.js';
import { answerUndelivered, hearAnswer, operationOver, settle } from '../waits/hear-answer.js';
import type { LiveEntity, LiveOwner } from '../run/live-entity.js';
import type { Undeliverable } from '../run/outbox.js';
import { ASK_AGAIN, retryAfter } from '../run/ask-store.js';
import type { Questions } from '../run/questions.js';
import type { Reception } from './reception.js';
import { Withdrawing } from './withdrawing.js';

/** A signal, as far as it was understood, and why it was dropped. */
interface Decided {
  readonly request?: RaiseRequest;
  readonly rejection?: Pick<Rejection, 'code' | 'message'> | undefined;
}

export class Hearing implements LiveOwner {
  readonly #live: LiveEntity;
  readonly #questions: Questions;
  readonly #reception: Reception;
  readonly #withdrawing: Withdrawing;
  /** Tells whether the store is asked about the messages that wait. */
  #settling = false;

  constructor(live: LiveEntity, questions: Questions, reception: Reception, asking: Asking) {
    this.#live = live;
    this.#questions = questions;
    this.#reception = reception;
    this.#withdrawing = new Withdrawing(live, asking);
  }

  /** Goes on with what the last run has left. */
  begin(): void {
    this.#settle();
    this.#withdrawing.begin();
  }

  /** Takes in a message. */
  message(message: EntityMessage): void {
    this.#live.note();
    this.#live.applyProbing(hearAnswer(this.#live.snapshot, message));
    if (!this.#withholds(message)) this.#hear(message);
  }

  /**
   * Takes in an event that came as a plain signal, with parameters and options. One that is not accepted is recorded and
   * dropped.
   */
  signal(signal: string, args: readonly unknown[]): void {
    const problem = problemOfArguments(args);
    if (problem) return this.dropMalformed(signal, problem);
    const [params, options = {}] = args;
    const { request: id, actor } = options as SignalOptions;
    const content = { event: signal, ...(params !== undefined && { params }), ...(actor && { actor }) };
    if (id === undefined) return this.#signalled({ id: this.#live.driver.uuid(), ...content });
    const request: RaiseRequest = { id, ...content };
    const { key } = this.#live.snapshot;
    if (!this.#withholds({ kind: 'raise', key, request })) this.#requested(request);
  }

  /**
   * Takes in an event that came as a plain signal with a request id, after the store has said what it knows of it. hearing.1
   */
  #requested(request: RaiseRequest, past?: PastRequest): void {
    this.#signalled(request, past, request.id);
    const snapshot = this.#live.snapshot;
    if (isUnopened(snapshot, request.id)) this.#live.apply(openOperations(this.#live.entity, snapshot));
  }

  #signalled(request: RaiseRequest, past?: PastRequest, name?: string): void {
    const { version } = this.#live.snapshot;
    const answer = this.#reception.admit(request, past);
    const rejection = answer.status === 'rejected' ? answer.rejection : undefined;
    if (request.actor || rejection) this.#record(request.event, `${request.id}@${version}`, { request, rejection });
    if (rejection) this.drop(request.event, rejection.message, name);
  }

  /** Drops a signal that is not an event. */
  dropMalformed(signal: string, reason: string): void {
    const rejection = { code: 'malformed', message: reason };
    this.#record(signal, `${signal}@${this.#live.snapshot.version}`, { rejection });
    this.drop(signal, reason);
  }

  /** Records a decision for the audit trail, and for the view of rejections. S6.5 */
  #record(event: string, id: string, { request, rejection }: Decided): void {
    const snapshot = this.#live.snapshot;
    const { type, key, life, tenant, state } = snapshot;
    const record: DecisionRecord = {
      ...{ kind: 'decision', id, entity: { type, key, life }, event, at: this.#live.now() },
      ...(request && { request: request.id }),
      ...(request?.actor && { actor: request.actor }),
      ...(rejection && { rejection: { code: rejection.code, message: rejection.message, state } }),
      ...(tenant !== undefined && { tenant }),
    };
    this.#live.apply({ snapshot, effects: [{ kind: 'record', record }] });
  }

  drop(name: string, reason: string, request?: string): void {
    const signal = cut(name, LONGEST_CODE);
    const { driver } = this.#live;
    const snapshot = this.#live.snapshot;
    const named = request !== undefined && { request };
    driver.warn(`dropped the signal '${signal}'`, { entity: entityId(snapshot), reason, ...named });
    const dropped = { signal, reason, at: driver.now(), ...named };
    this.#live.apply({ snapshot: { ...snapshot, dropped }, effects: [] });
  }

  /** Rejects an event, whatever the entity is. */
  reject(request: RaiseRequest, rejection: Rejection): void {
    const live = this.#live;
    live.post(endRejected(live.entity, live.snapshot, request, rejection, live.now()));
  }

  withdraws(): void {
    this.#withdrawing.begin();
  }

  /** Waits a moment for the providers that have yet to hear of withdrawn questions, since the entity ends for good. */
  endWithdrawals(): Promise<void> {
    return this.#withdrawing.end();
  }

  undeliverable({ to, message }: Undeliverable): void {
    const live = this.#live;
    live.change((snapshot) => answerUndelivered(snapshot, to, message));
    live.apply(undelivered(live.entity, live.snapshot, to, message, live.now()));
  }

  reported(report: Report, request: RaiseRequest): void {
    // All that the event had set off was over at that time too.
    this.#live.change((snapshot) => settle(snapshot, report.ended, report.outcome));
    this.message(report);
    this.#live.post(followedElsewhere(report.from, request, report.operation));
  }

  operationOver(message: OperationMessage): void {
    this.#live.change((snapshot) => operationOver(snapshot, message));
  }

  noDeployment(id: string): void {
    const live = this.#live;
    live.apply(loseDeployment(live.entity, live.snapshot, id, live.now()));
  }

  #hear(message: EntityMessage, cleared?: Cleared): void {
    const live = this.#live;
    live.applyProbing(hear(live.entity, live.snapshot, message, live.now(), cleared));
  }

  /** Takes a message that has to wait for the store; false when it does not. hearing.2 */
  #withholds(message: EntityMessage): boolean {
    const live = this.#live;
    if (!mustWait(live.entity, live.snapshot, message)) return false;
    live.change((snapshot) => withhold(snapshot, message));
    this.#settle();
    return true;
  }

  /** Asks the store about the messages that wait, until none is left. */
  #settle(): void {
    if (this.#settling || !this.#live.snapshot.doubted) return;
    this.#settling = true;
    void this.#askAgainAndAgain();
  }

  async #askAgainAndAgain(): Promise<void> {
    const { entity, driver } = this.#live;
    for (let failures = 0; ;) {
      const { doubted } = this.#live.snapshot;
      if (!doubted) break;
      const cleared = await this.#questions.clear(doubted.flatMap((message) => requestIn(entity, message) ?? []));
      this.#hearWithheld(cleared);
      failures = cleared.away ? failures + 1 : 0;
      if (cleared.away) await driver.until(() => false, retryAfter(failures), ASK_AGAIN);
    }
    this.#settling = false;
  }

  /** Takes in the messages that need not wait any more, in order. */
  #hearWithheld(cleared: Clearance): void {
    const live = this.#live;
    const { doubted = [] } = live.snapshot;
    live.change(({ doubted: _, ...rest }) => rest);
    for (const message of doubted) {
      const request = requestIn(live.entity, message);
      // The event is known to have ended. While the store is unavailable, its sender is told how the entity stands.
      const told = request && cleared.away && isKnown(live.snapshot.ledger, request.id);
      if (!told && mustWait(live.entity, live.snapshot, message, cleared)) {
        live.change((snapshot) => withhold(snapshot, message));
        continue;
      }
      const past = request && cleared.asked.get(request.id);
      // An event without a sender came as a plain signal.
      if (message.kind === 'raise' && isOutside(message.request)) this.#requested(message.request, past);
      else this.#hear(message, { past, withdrawn: doubted.some((each) => withdraws(each, message)) });
    }
  }
}

/** Tells what is wrong with what a plain signal brings, the parameters left aside. */
function problemOfArguments([, options, ...more]: readonly unknown[]): string | undefined {
  if (more.length > 0) return 'A signal has parameters and options, and nothing after them.';
  const problem = options === undefined ? undefined : parseSignalOptions(options);
  return problem && `The options of a signal are { request, actor }, or left out; these are not: ${problem}.`;
}

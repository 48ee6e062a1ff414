/*
 * How events from outside are received and answered.
 *
 * reception.1. An answer is held back only for an event that ends within the present task, or for as long as its only caller
 *     asks for.
 * reception.2. The store is asked once for each batch, before the first event that is in doubt. Others go on meanwhile. A
 *     signal without a request id is new. A signal in doubt waits as messages do, since nobody hears an answer. S2.5
 * reception.3. The sender of a signal with a request id can follow its operation, however soon that ends: the operation gets a
 *     workflow at once.
 * reception.4. A batch is carried out in one go: each event begins as soon as it is admitted, and nothing is shown in between.
 *     S4.6
 */
import type { AnyEntity } from '../../definition/entity.js';
import { LONGEST_CODE } from '../../definition/limits.js';
import { cut } from '../../definition/thrown.js';
import type { Answer } from '../../protocol/answer.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest, SignalOptions } from '../../protocol/request.js';
import { ANSWER_EVENT, entityId } from '../../protocol/names.js';
import { parseSignalOptions } from '../../protocol/parse.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { admit, hasToWait, refusalToWait } from '../turns/admit.js';
import { immediateCall } from '../turns/immediate.js';
import { refuseAnswer } from '../callbacks/callback.js';
import { decideRaised } from '../rules/decide.js';
import { tryAgain, UNASKED } from '../ledger/doubt.js';
import type { DecisionRecord } from '../../protocol/records.js';
import type { EntityDriver } from './driver.js';
import type { Following } from './following.js';
import { immediateOutcome, recall } from '../ledger/ledger.js';
import { isUnopened, openOperations } from '../engagements/open.js';
import { refusePermission } from '../rules/permission.js';
import { eventTooLarge } from '../rules/event-size.js';
import type { Questions } from './questions.js';
import type { Step } from '../rules/step.js';
import type { Stepping } from './stepping.js';

/** The code that runs the entity. */
interface ReceptionHost {
  readonly driver: EntityDriver;
  readonly stepping: Stepping;
  readonly following: Following;
  readonly questions: Questions;
  snapshot(): Snapshot;
  apply(step: Step): void;
}

/** A signal, as far as it was understood, and why it was dropped. */
interface Decided {
  readonly request?: RaiseRequest;
  readonly rejection?: Pick<Rejection, 'code' | 'message'> | undefined;
}

export class Reception {
  readonly #entity: AnyEntity;
  readonly #host: ReceptionHost;
  #undecided = 0;

  constructor(entity: AnyEntity, host: ReceptionHost) {
    this.#entity = entity;
    this.#host = host;
  }

  /** Tells whether events of batches have yet to be decided in this run. */
  get busy(): boolean {
    return this.#undecided > 0;
  }

  /** The answers, when every event of the batch would be rejected now: then nothing needs to be recorded. */
  rejectAll(requests: readonly RaiseRequest[]): readonly Answer[] | undefined {
    const answers: Answer[] = [];
    for (const request of requests) {
      const rejection = this.#refuse(request);
      if (!rejection) return undefined;
      answers.push({ status: 'rejected', rejection });
    }
    return answers;
  }

  /** Decides events in order, each in the state that the one before it left. S4.6 */
  async raise(requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    const { stepping, following, questions } = this.#host;
    const answers: Answer[] = [];
    let cleared = UNASKED;
    this.#undecided += requests.length;
    for (const request of requests.length === 1 ? requests : requests.map(unheld)) {
      // An action that ends within the present task is over before anyone could see that an event waited for it.
      while (stepping.passing) await stepping.passed();
      let isInDoubt = questions.doubts(request, cleared);
      while (isInDoubt && !cleared.away) {
        cleared = await questions.clear(requests.slice(answers.length));
        while (stepping.passing) await stepping.passed();
        isInDoubt = questions.doubts(request, cleared);
      }
      this.#undecided--;
      if (isInDoubt) {
        answers.push({ status: 'rejected', rejection: tryAgain(this.#host.snapshot(), request) });
        continue;
      }
      const answer = this.admit(request, cleared.asked.get(request.id));
      if (answer.status !== 'accepted' || answer.outcome) {
        answers.push(answer);
        continue;
      }
      stepping.begin();
      while (stepping.passing) await stepping.passed();
      if (request.holdMs !== undefined) await following.begun(request.id);
      const snapshot = this.#host.snapshot();
      const outcome = immediateOutcome(snapshot.ledger, request.id);
      const unfollowed = isUnopened(snapshot, request.id);
      answers.push({ ...answer, ...(outcome && { outcome }), ...(unfollowed && { unfollowed }) });
    }
    return answers;
  }

  /** Tells whether the entity can tell the outcome of an event, now or in a moment. */
  tells(event: string): boolean {
    const snapshot = this.#host.snapshot();
    return isUnopened(snapshot, event) || immediateOutcome(snapshot.ledger, event) !== undefined;
  }

  /** The outcome of an event; nothing when an operation follows it. */
  async outcome(event: string): Promise<EngagementOutcome | undefined> {
    await this.#host.following.begun(event);
    return immediateOutcome(this.#host.snapshot().ledger, event);
  }

  /** Admits one event for which no caller waits. */
  admit(request: RaiseRequest, past?: PastRequest): Answer {
    const { answer, ...step } = admit(this.#entity, this.#host.snapshot(), request, this.#host.driver.now(), past);
    this.#host.apply(step);
    return answer;
  }

  /**
   * Takes in an event that came as a plain signal, with parameters and options. One that is not accepted is recorded and
   * dropped.
   */
  receiveSignal(signal: string, args: readonly unknown[]): void {
    const problem = problemOfArguments(args);
    if (problem) return this.dropMalformed(signal, problem);
    const [params, options = {}] = args;
    const { request: id, actor } = options as SignalOptions;
    const content = { event: signal, ...(params !== undefined && { params }), ...(actor && { actor }) };
    if (id === undefined) return this.#signalled({ id: this.#host.driver.uuid(), ...content });
    const request: RaiseRequest = { id, ...content };
    const { key } = this.#host.snapshot();
    if (!this.#host.questions.withholds({ kind: 'raise', key, request })) this.requested(request);
  }

  /**
   * Takes in an event that came as a plain signal with a request id, after the store has said what it knows of it. reception.3
   */
  requested(request: RaiseRequest, past?: PastRequest): void {
    this.#signalled(request, past, request.id);
    const snapshot = this.#host.snapshot();
    if (isUnopened(snapshot, request.id)) this.#host.apply(openOperations(this.#entity, snapshot));
  }

  #signalled(request: RaiseRequest, past?: PastRequest, name?: string): void {
    const { version } = this.#host.snapshot();
    const answer = this.admit(request, past);
    const rejection = answer.status === 'rejected' ? answer.rejection : undefined;
    if (request.actor || rejection) this.#record(request.event, `${request.id}@${version}`, { request, rejection });
    if (rejection) this.drop(request.event, rejection.message, name);
  }

  /** Drops a signal that is not an event. */
  dropMalformed(signal: string, reason: string): void {
    const rejection = { code: 'malformed', message: reason };
    this.#record(signal, `${signal}@${this.#host.snapshot().version}`, { rejection });
    this.drop(signal, reason);
  }

  /** Records a decision for the audit trail, and for the view of rejections. S6.5 */
  #record(event: string, id: string, { request, rejection }: Decided): void {
    const snapshot = this.#host.snapshot();
    const { type, key, life, tenant, state } = snapshot;
    const record: DecisionRecord = {
      ...{ kind: 'decision', id, entity: { type, key, life }, event, at: this.#host.driver.now() },
      ...(request && { request: request.id }),
      ...(request?.actor && { actor: request.actor }),
      ...(rejection && { rejection: { code: rejection.code, message: rejection.message, state } }),
      ...(tenant !== undefined && { tenant }),
    };
    this.#host.apply({ snapshot, effects: [{ kind: 'record', record }] });
  }

  drop(name: string, reason: string, request?: string): void {
    const signal = cut(name, LONGEST_CODE);
    const { driver } = this.#host;
    const snapshot = this.#host.snapshot();
    const named = request !== undefined && { request };
    driver.warn(`dropped the signal '${signal}'`, { entity: entityId(snapshot), reason, ...named });
    const dropped = { signal, reason, at: driver.now(), ...named };
    this.#host.apply({ snapshot: { ...snapshot, dropped }, effects: [] });
  }

  /** Why an event would be rejected at once, whatever comes before it in the batch. */
  #refuse(request: RaiseRequest): Rejection | undefined {
    const snapshot = this.#host.snapshot();
    const forbidden = refusePermission(this.#entity, snapshot, request);
    if (forbidden) return forbidden;
    const tooLarge = eventTooLarge(snapshot, request);
    if (tooLarge) return tooLarge;
    if (request.event === ANSWER_EVENT) return this.#refuseAnswer(request);
    const immediate = immediateCall(request.event);
    if (immediate) return immediate.refuse(snapshot, request);
    const waits = hasToWait(this.#entity, snapshot, request) !== undefined;
    const rejection = waits ? refusalToWait(this.#entity, snapshot, request) : this.#rejection(request);
    // The first outcome of a request that may have been raised before has yet to be looked up.
    return rejection && !this.#host.questions.doubts(request) && !recall(snapshot.ledger, request)
      ? rejection
      : undefined;
  }

  /** Why an answer from outside is refused, unless it has come before. */
  #refuseAnswer(request: RaiseRequest): Rejection | undefined {
    const snapshot = this.#host.snapshot();
    if (recall(snapshot.ledger, request)) return undefined;
    return refuseAnswer(snapshot, request, this.#host.driver.now());
  }

  #rejection(request: RaiseRequest): Rejection | undefined {
    const decision = decideRaised(this.#entity, this.#host.snapshot(), request);
    return decision.accepted ? undefined : decision.rejection;
  }
}

/** Tells what is wrong with what a plain signal brings, the parameters left aside. */
function problemOfArguments([, options, ...more]: readonly unknown[]): string | undefined {
  if (more.length > 0) return 'A signal has parameters and options, and nothing after them.';
  const problem = options === undefined ? undefined : parseSignalOptions(options);
  return problem && `The options of a signal are { request, actor }, or left out; these are not: ${problem}.`;
}

/** Callers whose events come together are answered at once. reception.1 */
function unheld(request: RaiseRequest): RaiseRequest {
  const { holdMs, ...rest } = request;
  return holdMs === undefined ? request : rest;
}

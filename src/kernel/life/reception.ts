/*
 * How events are received and answered that come as updates.
 *
 * reception.1. An answer is held back only for an event that ends within the present task, or for as long as its only caller
 *     asks for.
 * reception.2. The store is asked once for each batch, before the first event that is in doubt. Others go on meanwhile. S2.5
 * reception.3. A batch is carried out in one go: each event begins as soon as it is admitted, and nothing is shown in between.
 *     S4.6
 */
import type { Answer } from '../../protocol/answer.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { ANSWER_EVENT } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import { admit, hasToWait, refusalToWait } from '../turns/admit.js';
import { immediateCall } from '../turns/immediate.js';
import { refuseAnswer } from '../callbacks/callback.js';
import { decideRaised } from '../rules/decide.js';
import { tryAgain, UNASKED } from '../ledger/doubt.js';
import type { Following } from '../run/following.js';
import type { LiveEntity } from '../run/live-entity.js';
import { immediateOutcome, recall } from '../ledger/ledger.js';
import { isUnopened } from '../engagements/open.js';
import { refusePermission } from '../rules/permission.js';
import { eventTooLarge } from '../rules/event-size.js';
import type { Questions } from '../run/questions.js';
import type { Stepping } from './stepping.js';

export class Reception {
  readonly #live: LiveEntity;
  readonly #stepping: Stepping;
  readonly #following: Following;
  readonly #questions: Questions;

  constructor(live: LiveEntity, stepping: Stepping, following: Following, questions: Questions) {
    this.#live = live;
    this.#stepping = stepping;
    this.#following = following;
    this.#questions = questions;
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
    const [live, stepping, questions] = [this.#live, this.#stepping, this.#questions];
    const answers: Answer[] = [];
    let cleared = UNASKED;
    live.undecided += requests.length;
    for (const request of requests.length === 1 ? requests : requests.map(unheld)) {
      // An action that ends within the present task is over before anyone could see that an event waited for it.
      while (stepping.passing) await live.passed();
      let isInDoubt = questions.doubts(request, cleared);
      while (isInDoubt && !cleared.away) {
        cleared = await questions.clear(requests.slice(answers.length));
        while (stepping.passing) await live.passed();
        isInDoubt = questions.doubts(request, cleared);
      }
      live.undecided--;
      if (isInDoubt) {
        answers.push({ status: 'rejected', rejection: tryAgain(this.#live.snapshot, request) });
        continue;
      }
      const answer = this.admit(request, cleared.asked.get(request.id));
      if (answer.status !== 'accepted' || answer.outcome) {
        answers.push(answer);
        continue;
      }
      stepping.begin();
      while (stepping.passing) await live.passed();
      if (request.holdMs !== undefined) await this.#following.begun(request.id);
      const snapshot = this.#live.snapshot;
      const outcome = immediateOutcome(snapshot.ledger, request.id);
      const unfollowed = isUnopened(snapshot, request.id);
      answers.push({ ...answer, ...(outcome && { outcome }), ...(unfollowed && { unfollowed }) });
    }
    return answers;
  }

  /** Tells whether the entity can tell the outcome of an event, now or in a moment. */
  tells(event: string): boolean {
    const snapshot = this.#live.snapshot;
    return isUnopened(snapshot, event) || immediateOutcome(snapshot.ledger, event) !== undefined;
  }

  /** The outcome of an event; nothing when an operation follows it. */
  async outcome(event: string): Promise<EngagementOutcome | undefined> {
    await this.#following.begun(event);
    return immediateOutcome(this.#live.snapshot.ledger, event);
  }

  /** Admits one event for which no caller waits. */
  admit(request: RaiseRequest, past?: PastRequest): Answer {
    const { answer, ...step } = admit(this.#live.entity, this.#live.snapshot, request, this.#live.now(), past);
    this.#live.apply(step);
    return answer;
  }

  /** Why an event would be rejected at once, whatever comes before it in the batch. */
  #refuse(request: RaiseRequest): Rejection | undefined {
    const snapshot = this.#live.snapshot;
    const forbidden = refusePermission(this.#live.entity, snapshot, request);
    if (forbidden) return forbidden;
    const tooLarge = eventTooLarge(snapshot, request);
    if (tooLarge) return tooLarge;
    if (request.event === ANSWER_EVENT) return this.#refuseAnswer(request);
    const immediate = immediateCall(request.event);
    if (immediate) return immediate.refuse(snapshot, request);
    const waits = hasToWait(this.#live.entity, snapshot, request) !== undefined;
    const rejection = waits ? refusalToWait(this.#live.entity, snapshot, request) : this.#rejection(request);
    // The first outcome of a request that may have been raised before has yet to be looked up.
    return rejection && !this.#questions.doubts(request) && !recall(snapshot.ledger, request) ? rejection : undefined;
  }

  /** Why an answer from outside is refused, unless it has come before. */
  #refuseAnswer(request: RaiseRequest): Rejection | undefined {
    const snapshot = this.#live.snapshot;
    if (recall(snapshot.ledger, request)) return undefined;
    return refuseAnswer(snapshot, request, this.#live.now());
  }

  #rejection(request: RaiseRequest): Rejection | undefined {
    const decision = decideRaised(this.#live.entity, this.#live.snapshot, request);
    return decision.accepted ? undefined : decision.rejection;
  }
}

/** Callers whose events come together are answered at once. reception.1 */
function unheld(request: RaiseRequest): RaiseRequest {
  const { holdMs, ...rest } = request;
  return holdMs === undefined ? request : rest;
}

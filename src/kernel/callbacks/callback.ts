/*
 * Calls that are answered from outside. A1
 *
 * callback.1. An answer counts once: the first one for its round. The same again is the same; another one is a conflict. A2
 * callback.2. A later attempt of the same action asks by the same round, as long as the input is the same and nothing has gone wrong;
 *     what was answered meanwhile serves it. After a failure, a time limit, an abort, or with another input, a new round is asked,
 *     and the one before is closed.
 * callback.3. Leaving the state, or entering it anew, closes all rounds.
 */
import { CallFailed } from '../../definition/action-errors.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Answer } from '../../protocol/answer.js';
import { callbackAnswer, type CallbackCall, type CallbackEnd } from '../../protocol/callback.js';
import { QUESTION_BYTES } from '../../definition/limits.js';
import { asDeclared } from '../../definition/duration.js';
import { sizeProblem } from '../../protocol/size-problem.js';
import { ANSWER_EVENT, entityId } from '../../protocol/names.js';
import type { Rejection } from '../../protocol/rejection.js';
import { raisedAt } from '../../protocol/request-id.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { issuesOf } from '../../protocol/schema-problems.js';
import { outcomeOf } from '../engagements/settle.js';
import { contentFingerprint } from '../ledger/fingerprint.js';
import { recordOutcome, remember } from '../ledger/ledger.js';
import type { Step } from '../rules/step.js';

/** Something that an action wants to know. */
interface Question {
  readonly idempotencyKey: string;
  readonly call: string;
  readonly input: unknown;
  readonly withinMs: number;
  /** Tells whether the provider is told when the question is closed without an answer. */
  readonly withdraws?: boolean | undefined;
}

/** The round in which a question is asked: the one that is under way, or a new one. callback.2 */
export function askOutside(
  snapshot: Snapshot,
  { idempotencyKey, call, input, withinMs, withdraws }: Question,
  now: number,
): { readonly snapshot: Snapshot; readonly asked: CallbackCall } {
  const { callbacks = [], running } = snapshot;
  const fingerprint = contentFingerprint({ event: call, params: input });
  const known = callbacks.find((each) => each.idempotencyKey === idempotencyKey);
  // An action that goes on in another run waits for the same round, also where its time is over by now.
  const isAwaited = running?.awaits?.some(({ wait }) => wait === known?.id);
  const isOpen = known && (known.answer !== undefined || known.until > now || isAwaited);
  const serves = isOpen && known.fingerprint === fingerprint && !hasFailed(known);
  if (known && serves) return { snapshot, asked: known };
  const round = (known?.round ?? 0) + 1;
  const asked: CallbackCall = {
    ...{ idempotencyKey, call, fingerprint, round },
    id: raisedAt(`${idempotencyKey}/${round}`, now),
    action: running?.action ?? '',
    askedAt: now,
    until: now + withinMs,
    ...(withdraws && { withdrawal: { input } }),
  };
  return { snapshot: { ...snapshot, callbacks: [...callbacks.filter((each) => each !== known), asked] }, asked };
}

/** The round of this id, as it stands. */
export function roundOf(snapshot: Snapshot, id: string): CallbackCall | undefined {
  return snapshot.callbacks?.find((each) => each.id === id);
}

/** Something has come of a round. */
export function noteRound(
  snapshot: Snapshot,
  id: string,
  news: Partial<Pick<CallbackCall, 'asked' | 'end' | 'answer'>>,
): Snapshot {
  const { callbacks } = snapshot;
  if (!callbacks) return snapshot;
  return { ...snapshot, callbacks: callbacks.map((each) => (each.id === id ? { ...each, ...news } : each)) };
}

/** Why an answer from outside is refused, or `undefined`. */
export function refuseAnswer(snapshot: Snapshot, request: RaiseRequest, now: number): Rejection | undefined {
  const parsed = callbackAnswer.safeParse(request.params);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error);
    return refusal(
      'invalid_parameters',
      'An answer is { "output": ... } or { "error": { "code", "message" } }.',
      issues,
    );
  }
  const round = roundOf(snapshot, request.id);
  if (!round)
    return refusal('callback_closed', 'This answer is no longer needed: the call that asked for it has ended.');
  if (round.end) return refusal('callback_closed', `${round.call} ${ENDS[round.end]}, so this answer comes too late.`);
  if (round.answer) return refusal('callback_closed', `${round.call} has been answered already.`);
  if (round.until <= now)
    return refusal('callback_closed', `${round.call} ${ENDS['timed out']}, so this answer comes too late.`);
  const tooLarge = sizeProblem([snapshot.callbacks, request.params], QUESTION_BYTES);
  if (tooLarge) {
    const message = `With the answer to ${round.call}, the pending calls and their answers have ${tooLarge}. Store large data outside, and answer with its address.`;
    return refusal('event_too_large', message);
  }
  return undefined;

  function refusal(code: string, message: string, issues?: Rejection['issues']): Rejection {
    const { state } = snapshot;
    return { code, message, entity: entityId(snapshot), event: ANSWER_EVENT, state, ...(issues && { issues }) };
  }
}

const ENDS: Readonly<Record<CallbackEnd, string>> = {
  answered: 'has been answered',
  failed: 'has failed',
  'timed out': 'has not been answered in time',
  aborted: 'was aborted',
  superseded: 'was decided without this answer',
  revoked: 'was given up by an operator',
};

/** An answer comes from outside, at any time. callback.1 */
export function admitAnswer(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  now: number,
): Step & { readonly answer: Answer } {
  const rejection = refuseAnswer(snapshot, request, now);
  if (rejection) return { snapshot, effects: [], answer: { status: 'rejected', rejection } };
  const answer = callbackAnswer.parse(request.params);
  const { callbacks = [], ledger } = snapshot;
  const outcome = outcomeOf(entity, snapshot);
  const answered: Snapshot = {
    ...snapshot,
    callbacks: callbacks.map((each) => (each.id === request.id ? { ...each, answer } : each)),
    ledger: recordOutcome(remember(ledger, request), { id: request.id, opened: false }, outcome),
  };
  const { operation = request.id } = request;
  return { snapshot: answered, effects: [], answer: { status: 'accepted', operation, outcome } };
}

/** The rounds that go on where an event of this action leaves the state as it was. callback.3 */
export function callbacksOfOthers({ callbacks = [] }: Snapshot, action: string): Pick<Snapshot, 'callbacks'> {
  const others = callbacks.filter((each) => each.action !== action);
  return others.length > 0 ? { callbacks: others } : {};
}

/** Thrown into the action: nobody has answered in time, or an operator has given it up. */
export function notAnswered({ call, end, askedAt, until }: CallbackCall): CallFailed {
  if (end === 'revoked') return new CallFailed(call, 'call_revoked', `An operator has revoked ${call}.`);
  return new CallFailed(call, 'call_timed_out', `${call} was not answered within ${asDeclared(until - askedAt)}.`);
}

function hasFailed({ end, answer }: CallbackCall): boolean {
  return (end !== undefined && end !== 'answered') || (answer !== undefined && 'error' in answer);
}

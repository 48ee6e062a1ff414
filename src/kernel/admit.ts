/*
 * How an event comes in.
 *
 * A1. Validation and the start of the action are one step: nothing can change the state between them. S2.3
 * A2. An event that comes while an action runs waits, and is validated in the state that the action leaves. S2.3
 * A3. The same request id again gives the first outcome and starts nothing; with other content it is an error. S2.5
 * A4. A rejected event changes nothing. S2.2
 */
import type { AnyEntity } from '../definition/entity.js';
import type { Answer, RaiseRequest, Rejection } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { begin } from './begin.js';
import { currentOperation, decide } from './decide.js';
import { forget, immediateOutcome, recall, remember, type Recalled } from './ledger.js';
import { openOperation } from './open.js';
import { endRejected, outcomeOf, reportAgain } from './settle.js';
import { isAtRest, type Effect, type Step } from './step.js';

/** An event that has just arrived: its immediate answer, and what follows from it. */
export function admit(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  now: number,
): Step & { readonly answer: Answer } {
  const operation = request.operation ?? request.id;
  const known = recall(snapshot.ledger, request);
  if (known) {
    const answer = repeated(snapshot, request, known);
    const effects = answer.status === 'accepted' ? toldAgain(entity, snapshot, request, known) : [];
    return { snapshot, effects, answer };
  }

  if (snapshot.running) {
    const waiting: Snapshot = {
      ...snapshot,
      waiting: [...snapshot.waiting, request],
      ledger: remember(snapshot.ledger, request),
    };
    const opened = request.operation === undefined ? [openOperation(waiting, request, now)] : [];
    return {
      snapshot: waiting,
      effects: opened,
      answer: { status: 'waiting', operation, behind: snapshot.running.action },
    };
  }

  const decision = decide(entity, snapshot, request);
  if (!decision.accepted) {
    const { rejection } = decision;
    const told = request.from ? endRejected(snapshot, request, rejection) : [];
    return { snapshot, effects: told, answer: { status: 'rejected', rejection } };
  }
  const accepted = begin(snapshot, request, { ...decision, eventType: 'raised' }, now);
  return { snapshot: accepted, effects: [], answer: { status: 'accepted', operation } };
}

/** The event that has waited longest, validated in the state that the action has left. */
export function admitWaiting(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const [request, ...waiting] = snapshot.waiting;
  if (!request) return { snapshot, effects: [] };
  const rest: Snapshot = { ...snapshot, waiting };
  const decision = decide(entity, rest, request);
  if (decision.accepted) {
    return { snapshot: begin(rest, request, { ...decision, eventType: 'raised', opened: true }, now), effects: [] };
  }
  // It had been remembered while it waited; a rejection leaves nothing behind.
  const forgotten = { ...rest, ledger: forget(rest.ledger, request.id) };
  return { snapshot: forgotten, effects: endRejected(forgotten, request, decision.rejection) };
}

/** The answer to a request that the entity knows already, or nothing. S2.5 */
export function repeatedAnswer(snapshot: Snapshot, request: RaiseRequest): Answer | undefined {
  const known = recall(snapshot.ledger, request);
  return known && repeated(snapshot, request, known);
}

function repeated(snapshot: Snapshot, request: RaiseRequest, { same, entry }: Recalled): Answer {
  if (!same) {
    const operation = currentOperation(snapshot);
    const rejection: Rejection = {
      code: 'request_conflict',
      message: `The request id '${request.id}' has been used for another event or other parameters. Use a new request id.`,
      entity: entityId(snapshot),
      event: request.event,
      state: snapshot.state,
      ...(operation !== undefined && { operation }),
    };
    return { status: 'rejected', rejection };
  }
  if (!entry) return { status: 'accepted', operation: request.operation ?? request.id, longAgo: true };
  if (snapshot.running && snapshot.waiting.some(({ id }) => id === request.id)) {
    return { status: 'waiting', operation: entry.operation, behind: snapshot.running.action };
  }
  const outcome = immediateOutcome(snapshot.ledger, request.id);
  return { status: 'accepted', operation: entry.operation, ...(outcome && { outcome }) };
}

/** An entity that asks again, since it was not told or has been restarted, is told again. */
function toldAgain(
  entity: AnyEntity,
  snapshot: Snapshot,
  { id, from }: RaiseRequest,
  { entry }: Recalled,
): readonly Effect[] {
  if (!from) return [];
  // Of what ended long ago it is told how the entity stands now; while that is not settled, it has to ask again.
  const outcome = entry ? entry.outcome : isAtRest(entity, snapshot) ? outcomeOf(entity, snapshot) : undefined;
  return outcome ? [reportAgain(snapshot, from, id, outcome, entry?.life)] : [];
}

/*
 * An event is withdrawn when the action that raised it stops waiting for it: since its wait would close a circle, the time was
 * over, or the action was aborted. S3.8
 *
 * withdraw.1. An event that has not begun never begins: its operation, and the entity that has raised it, are told that it is
 *     rejected.
 * withdraw.2. An event that has begun goes on, and so does one for which a running action was aborted, unless another one waits
 *     that aborts it too.
 * withdraw.3. The request stays known, so that a copy of it does not run. It is raised again under another id.
 */
import { abortsIn } from '../../definition/busy.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Withdraw } from '../../protocol/successor-messages.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { forget, rememberRejected } from '../ledger/ledger.js';
import { isSame } from '../rules/reserved.js';
import { endRejected, rejectedOutcome } from '../engagements/settle.js';
import type { Effect, Step } from '../rules/step.js';

/** The code with which a withdrawn event is rejected. It is nobody's mistake. */
const WITHDRAWN = 'withdrawn';

export function isWithdrawn({ rejection }: EngagementOutcome): boolean {
  return rejection?.code === WITHDRAWN;
}

/** The message that withdraws an event from another entity. */
export function withdrawalOf({ type, key, life }: Snapshot, to: EntityRef, request: string): Effect {
  return { kind: 'send', to, message: { kind: 'withdraw', from: { type, key, life }, request } };
}

/** Withdraws an event for the entity that has raised it. */
export function withdraw(entity: AnyEntity, snapshot: Snapshot, { from, request: id }: Withdraw, now: number): Step {
  const request = snapshot.waiting.find((each) => each.id === id);
  if (!request?.from || !isSame(request.from, from) || hasAborted(entity, snapshot, request)) {
    return { snapshot, effects: [] };
  }
  const rest = { ...snapshot, waiting: snapshot.waiting.filter((each) => each !== request) };
  return rejectWithdrawn(entity, { ...rest, ledger: forget(rest.ledger, id) }, request, from, now);
}

/** Rejects an event that was withdrawn before it could be decided. withdraw.1, withdraw.3 */
export function rejectWithdrawn(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  from: EntityRef,
  now: number,
): Step {
  const rejection: Rejection = {
    code: WITHDRAWN,
    message: `'${request.event}' was withdrawn before it began: ${entityId(from)} no longer waits for it.`,
    entity: entityId(snapshot),
    event: request.event,
    state: snapshot.state,
  };
  const outcome = rejectedOutcome(snapshot, rejection);
  const after: Snapshot = { ...snapshot, ledger: rememberRejected(snapshot.ledger, request, outcome) };
  return { snapshot: after, effects: endRejected(entity, after, request, rejection, now) };
}

/** Tells whether the running action was aborted for this event. withdraw.2 */
function hasAborted(entity: AnyEntity, { state, running, waiting }: Snapshot, request: RaiseRequest): boolean {
  if (running?.aborted !== true || request !== waiting[0]) return false;
  return waiting.findLast(({ event }) => abortsIn(entity, event, state)) === request;
}

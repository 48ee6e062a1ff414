/*
 * Requests of which only the store can tell whether they are new (the ledger may have forgotten them), or how they ended. S2.5
 *
 * doubt.1. One question to the store serves all requests that come together. Other requests go on meanwhile.
 * doubt.2. What the store knows stays known. Its answer that it knows nothing of a request holds until the ledger forgets
 *     something more: a request that came another way meanwhile is in the ledger.
 * doubt.3. The messages of one entity keep their order: those that come after a request in doubt wait behind it. An event that
 *     is withdrawn meanwhile does not begin. S3.8
 * doubt.4. While the store is unavailable, callers are told to try again. The messages of entities wait in the snapshot, and so go
 *     along into the next run.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { ANSWER_EVENT, entityId, isImmediate, type EntityRef } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import { lifeName } from '../../protocol/refs.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isDoubtful, mustBeTold } from './ledger.js';
import { refusePermission } from '../rules/permission.js';

/** All that the store has said. */
export interface Clearance {
  /** All that the store knows of each request that it has been asked about. */
  readonly asked: ReadonlyMap<string, PastRequest | undefined>;
  /** How many requests the ledger had forgotten then. */
  readonly forgotten: number;
  /** Tells whether the store cannot be asked. */
  readonly away: boolean;
}

/** The store has not been asked yet. */
export const UNASKED: Clearance = { asked: new Map(), forgotten: 0, away: false };

/** Tells whether an event cannot be decided before the store has been asked. */
export function isInDoubt(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  { asked, forgotten, away }: Clearance = UNASKED,
): boolean {
  // Nothing that an operator does at once is remembered. Below, a caller who may not raise an event must learn nothing of it.
  // The store has no rows of answers from outside: what the entity has forgotten is closed.
  if (request.event === ANSWER_EVENT) return false;
  if (isImmediate(request.event) || !isDoubtful(snapshot.ledger, request)) return false;
  if (away && !mustBeTold(snapshot.ledger, request)) return false;
  if (asked.get(request.id) || refusePermission(entity, snapshot, request)) return false;
  return !asked.has(request.id) || forgotten !== snapshot.ledger.forgotten;
}

/** The event that a message raises. */
export function requestIn(entity: AnyEntity, message: EntityMessage): RaiseRequest | undefined {
  if (message.kind === 'raise') return message.request;
  if (message.kind !== 'cancel' || entity.cancel === undefined) return undefined;
  return { id: message.engagement, event: entity.cancel, operation: message.operation };
}

/** Tells whether a message has to wait: its own event is in doubt, or an earlier message of the same entity waits. doubt.3 */
export function mustWait(entity: AnyEntity, snapshot: Snapshot, message: EntityMessage, cleared?: Clearance): boolean {
  const request = requestIn(entity, message);
  if (request && isInDoubt(entity, snapshot, request, cleared)) return true;
  const { doubted } = snapshot;
  if (!doubted) return false;
  const sender = senderOf(snapshot, message);
  return sender !== undefined && doubted.some((each) => senderOf(snapshot, each) === sender);
}

/** Tells whether a message withdraws the event that another message raises. */
export function withdraws(message: EntityMessage, raise: EntityMessage): boolean {
  if (message.kind !== 'withdraw' || raise.kind !== 'raise' || !raise.request.from) return false;
  return message.request === raise.request.id && lifeName(message.from) === lifeName(raise.request.from);
}

/** Lets the message wait for the answer of the store. */
export function withhold(snapshot: Snapshot, message: EntityMessage): Snapshot {
  return { ...snapshot, doubted: [...(snapshot.doubted ?? []), message] };
}

/** The sender of a message, where messages of this kind have to keep their order. */
function senderOf({ reservation, reservers, doubted = [] }: Snapshot, message: EntityMessage): string | undefined {
  switch (message.kind) {
    case 'raise':
      return message.request.from && lifeName(message.request.from);
    case 'reserve':
    case 'look':
    case 'withdraw':
      return lifeName(message.from);
    case 'release': {
      if (reservation?.wait === message.wait) return lifeName(reservation.owner);
      const asked = doubted.filter((each) => each.kind === 'reserve');
      const reserver = [...reservers, ...asked].find(({ wait }) => wait === message.wait);
      return reserver && lifeName(reserver.from);
    }
    default:
      return undefined;
  }
}

/** Gives what a caller is told while the store cannot be asked. doubt.4 */
export function tryAgain(on: EntityRef & { readonly state?: string }, { id, event }: RaiseRequest): Rejection {
  const entity = entityId(on);
  const message =
    `The store is unavailable, and only the store has the older requests of ${entity}, such as perhaps '${id}'. ` +
    `Repeat the event in a moment, with the same request id: nothing runs twice.`;
  return { code: 'try_again', message, entity, event, ...(on.state !== undefined && { state: on.state }) };
}

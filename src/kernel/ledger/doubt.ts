/*
 * What only the store can tell of a request: whether it is new, where the ledger may have forgotten it, and how it ended. S2.5
 *
 * doubt.1. There is one question for all who come together, and others go on meanwhile.
 * doubt.2. What is known to the store stays known. That it knows nothing of a request holds for as long as the ledger has
 *     forgotten nothing more: what came by another way meanwhile is in the ledger.
 * doubt.3. What one entity sends keeps its order: what comes after a request in doubt waits behind it. An event that is taken
 *     back meanwhile does not begin. S3.8
 * doubt.4. Callers are told to try again while the store is away. What entities have sent waits in the snapshot, and so goes
 *     along into the next run.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, LOSE_EVENT, type EntityRef } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isDoubtful, mustBeTold } from './ledger.js';
import { refusePermission } from '../rules/permission.js';

/** What the store has said. */
export interface Clearance {
  /** What it has been asked for, and what it knows of that. */
  readonly asked: ReadonlyMap<string, PastRequest | undefined>;
  /** How many the ledger had forgotten then. */
  readonly forgotten: number;
  /** It cannot be asked. */
  readonly away: boolean;
}

/** Nobody has been asked. */
export const UNASKED: Clearance = { asked: new Map(), forgotten: 0, away: false };

/** Whether an event cannot be decided before the store has been asked. */
export function isInDoubt(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  { asked, forgotten, away }: Clearance = UNASKED,
): boolean {
  // These are not remembered; and who may not raise an event learns nothing by it.
  if (request.event === LOSE_EVENT || !isDoubtful(snapshot.ledger, request)) return false;
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

/** Whether a message has to wait: its event is in doubt, or an earlier one of the same entity. doubt.3 */
export function mustWait(entity: AnyEntity, snapshot: Snapshot, message: EntityMessage, cleared?: Clearance): boolean {
  const request = requestIn(entity, message);
  if (request && isInDoubt(entity, snapshot, request, cleared)) return true;
  const { doubted } = snapshot;
  if (!doubted) return false;
  const sender = senderOf(snapshot, message);
  return sender !== undefined && doubted.some((each) => senderOf(snapshot, each) === sender);
}

/** Whether a message takes back the event that another one raises. */
export function withdraws(message: EntityMessage, raise: EntityMessage): boolean {
  if (message.kind !== 'withdraw' || raise.kind !== 'raise' || !raise.request.from) return false;
  return message.request === raise.request.id && nameOf(message.from) === nameOf(raise.request.from);
}

/** The message waits for the store's word. */
export function withhold(snapshot: Snapshot, message: EntityMessage): Snapshot {
  return { ...snapshot, doubted: [...(snapshot.doubted ?? []), message] };
}

/** The entity whose messages of this kind have an order. */
function senderOf({ reservation, reservers, doubted = [] }: Snapshot, message: EntityMessage): string | undefined {
  switch (message.kind) {
    case 'raise':
      return message.request.from && nameOf(message.request.from);
    case 'reserve':
    case 'look':
    case 'withdraw':
      return nameOf(message.from);
    case 'release': {
      if (reservation?.wait === message.wait) return nameOf(reservation.owner);
      const asked = doubted.filter((each) => each.kind === 'reserve');
      const reserver = [...reservers, ...asked].find(({ wait }) => wait === message.wait);
      return reserver && nameOf(reserver.from);
    }
    default:
      return undefined;
  }
}

function nameOf({ type, key, life }: { readonly type: string; readonly key: string; readonly life: string }): string {
  return `${entityId({ type, key })}#${life}`;
}

/** What a caller is told while the store cannot be asked. doubt.4 */
export function tryAgain(on: EntityRef & { readonly state?: string }, { id, event }: RaiseRequest): Rejection {
  const entity = entityId(on);
  const message =
    `Only the store knows whether the request '${id}' has been raised on ${entity} before, and it cannot be reached. ` +
    `Raise it again in a moment, with the same request id: nothing runs twice.`;
  return { code: 'try_again', message, entity, event, ...(on.state !== undefined && { state: on.state }) };
}

/*
 * The other entity that an event needs to create one: a pure function of declaration and snapshot. A caller from outside is
 * told what is missing before anything is created. S2.2, S6.4
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Rejection } from '../../protocol/rejection.js';
import { Rejected } from '../../protocol/errors.js';
import { checkAgainst } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { partsOf } from '../../definition/key-check.js';
import { currentOperation } from './decide.js';
import { isAnothers } from './permission.js';

/**
 * The entity that an event needs to create one; nothing where it needs none.
 * @throws Rejected `invalid_key` where the declaration makes no key of that entity from this one
 */
export function neededBy(entity: AnyEntity, to: EntityRef, event: string): EntityRef | undefined {
  const needs = Object.hasOwn(entity.events, event) ? entity.events[event]!.needs : undefined;
  if (!needs) return undefined;
  const made = checkAgainst(needs.key, partsOf(entity, to.key) ?? to.key);
  if (made.valid && typeof made.value === 'string') return { type: needs.type, key: made.value };
  const name = entityId(to);
  const why = made.valid ? `events.${event}.needs.key gives no text` : describeIssues(made.issues);
  const message = `'${event}' needs an entity of type ${needs.type}, but its key cannot be derived from that of ${name}: ${why}.`;
  throw new Rejected({ code: 'invalid_key', message, entity: name, event });
}

/** Rejects an event that would create an entity, where the entity that it needs does not live or is in a wrong state. */
export function refusalWithout(
  entity: AnyEntity,
  to: EntityRef,
  request: RaiseRequest,
  living: Snapshot | undefined,
): Rejection | undefined {
  const needs = entity.events[request.event]?.needs;
  const ref = neededBy(entity, to, request.event);
  if (!needs || !ref) return undefined;
  // An entity of another tenant counts as absent. S6.5
  const found = living && !isAnothers(living, request) ? living : undefined;
  const answer = found ? needs.unless[found.state] : needs.absent;
  if (!answer) return undefined;
  const name = entityId(ref);
  const standing = found ? `${name} is ${found.state}.` : `${name} does not exist.`;
  const operation = found && currentOperation(found);
  return {
    code: answer.code,
    message: `${(answer.message ?? `'${request.event}' needs ${name}`).replace(/\.?$/, '.')} ${standing}`,
    ...{ entity: entityId(to), event: request.event },
    ...(operation !== undefined && { operation }),
  };
}

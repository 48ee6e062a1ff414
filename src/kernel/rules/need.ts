/*
 * The other entity without which none comes to be by an event. A pure function of declaration and snapshot: whoever creates
 * one from outside is told before anything is created. S2.2, S6.4
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { partsOf } from '../../definition/key-check.js';
import { currentOperation } from './decide.js';
import { isAnothers } from './permission.js';

/** Which one an event needs that creates; nothing where it needs none. */
export function neededBy(entity: AnyEntity, to: EntityRef, event: string): EntityRef | undefined {
  const needs = Object.hasOwn(entity.events, event) ? entity.events[event]!.needs : undefined;
  if (!needs) return undefined;
  return { type: needs.type, key: needs.key.parse(partsOf(entity, to.key) ?? to.key) };
}

/** Why nothing comes to be by the event while what it needs stands as it does, or does not live; nothing where it would. */
export function refusalWithout(
  entity: AnyEntity,
  to: EntityRef,
  request: RaiseRequest,
  living: Snapshot | undefined,
): Rejection | undefined {
  const needs = entity.events[request.event]?.needs;
  const ref = neededBy(entity, to, request.event);
  if (!needs || !ref) return undefined;
  // What belongs to another tenant answers as if it were not there. S6.5
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

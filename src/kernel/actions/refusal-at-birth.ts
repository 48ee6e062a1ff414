import { CREATED } from '../../definition/created.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { EntityRef } from '../../protocol/names.js';
import { newborn } from './birth.js';
import { construct } from '../rules/construction.js';
import { decideRaised, type Refusal } from '../rules/decide.js';
import { eventTooLarge } from '../rules/event-size.js';
import { refusePermission, tenantAtBirth } from '../rules/permission.js';

/** Why this request would not create an entity; nothing where it would. A client asks this before it creates. S2.2 */
export function refusalAtBirth(entity: AnyEntity, to: EntityRef, request: RaiseRequest): Refusal | undefined {
  const tooLarge = eventTooLarge(to, request);
  if (tooLarge) return { accepted: false, rejection: tooLarge };
  const constructed = construct(entity, to, request.event, request.construct);
  if (!constructed.accepted) return constructed;
  const born = newborn(entity, to, '', 0, constructed.contents, tenantAtBirth(entity, request));
  const forbidden = refusePermission(entity, born, request);
  if (forbidden) return { accepted: false, rejection: forbidden };
  if (request.event === CREATED) return undefined;
  const decision = decideRaised(entity, born, request);
  return decision.accepted ? undefined : decision;
}

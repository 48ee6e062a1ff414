import type { DecisionRecord } from '../../protocol/records.js';
import { hashUuid } from '../hash.js';
import type { AuditEntry } from './audit-row.js';
import type { RejectedEvent } from './rejection-row.js';

/** The codes which say that the actor may not do it. All other codes say that the state does not allow it. */
const FORBIDDEN = ['not_allowed', 'another_tenant'];

/** The entry of the audit trail for a signal; nothing where the signal names no actor. S6.5 */
export function auditedDecision(record: DecisionRecord): AuditEntry | undefined {
  const { entity, event, actor, request, rejection, at } = record;
  if (!actor) return undefined;
  const forbidden = rejection && FORBIDDEN.includes(rejection.code);
  const reason = rejection && (forbidden ? rejection.message : `The entity rejected it: ${rejection.code}.`);
  return {
    ...{ id: idOf(record), at, ...actor, action: `raise ${event}`, entity: { type: entity.type, key: entity.key } },
    ...(request !== undefined && { operation: request, requestId: request }),
    decision: forbidden ? 'denied' : 'allowed',
    ...(reason !== undefined && { reason }),
  };
}

/**
 * The rejected event of a decision; nothing where the event was accepted. There is none either where the entity belongs to
 * another tenant than the actor, since that tenant would hear of it.
 */
export function rejectedDecision(record: DecisionRecord): RejectedEvent | undefined {
  const { entity, event, actor, request, rejection, tenant, at } = record;
  if (!rejection || rejection.code === 'another_tenant') return undefined;
  return {
    ...{ id: idOf(record), at, lastAt: at, times: 1, entity: { type: entity.type, key: entity.key }, event },
    ...rejection,
    ...(request !== undefined && { requestId: request }),
    ...(actor && { subject: actor.subject }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** The id of a decision: the same one, however often the decision is told. */
function idOf({ entity, id }: DecisionRecord): string {
  return hashUuid(entity.life, id);
}

import type { DecisionRecord } from '../../protocol/records.js';
import { hashUuid } from '../hash.js';
import type { AuditEntry } from './audit-row.js';
import type { RejectedEvent } from './rejection-row.js';

/** What says that somebody may not do it, rather than that the state does not allow it. */
const FORBIDDEN = ['not_allowed', 'another_tenant'];

/** What the audit trail has of a signal; nothing where that names no actor. S6.5 */
export function auditedDecision(record: DecisionRecord): AuditEntry | undefined {
  const { entity, event, actor, request, rejection, at } = record;
  if (!actor) return undefined;
  const forbidden = rejection && FORBIDDEN.includes(rejection.code);
  const reason = rejection && (forbidden ? rejection.message : `The entity refused: ${rejection.code}.`);
  return {
    ...{ id: idOf(record), at, ...actor, action: `raise ${event}`, entity: { type: entity.type, key: entity.key } },
    ...(request !== undefined && { operation: request, requestId: request }),
    decision: forbidden ? 'denied' : 'allowed',
    ...(reason !== undefined && { reason }),
  };
}

/** What was rejected of it; nothing where it was accepted, or is another tenant's, who would hear of it. */
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

/** The same decision has the same id, however often it is told. */
function idOf({ entity, id }: DecisionRecord): string {
  return hashUuid(entity.life, id);
}

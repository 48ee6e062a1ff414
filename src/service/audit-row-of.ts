import { randomUUID } from 'node:crypto';
import type { AuditEntry as AuditRow } from '../store/index.js';
import type { Access } from './access.js';
import type { AuditEntry } from './audit-trail.js';

/** A decision as the store has it. S6.5 */
export function auditRowOf({ at, actor, access, decision, reason, requestId, remoteAddress }: AuditEntry): AuditRow {
  const { action, event, list, entity, operation }: AuditedAccess = access;
  return {
    ...{ id: randomUUID(), at, decision, requestId },
    ...(actor ? actor : { subject: 'nobody', roles: [] }),
    action: [action, event ?? list].filter(Boolean).join(' '),
    ...(entity && { entity }),
    ...(operation !== undefined && { operation }),
    ...(reason !== undefined && { reason }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  };
}

/** Of an access, or of a request that nobody asked. */
type AuditedAccess = Omit<Access, 'action'> & { readonly action: string };

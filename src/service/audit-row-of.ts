import { randomUUID } from 'node:crypto';
import type { AuditEntry as AuditRow } from '../store/index.js';
import type { Access } from './access.js';
import type { AuditEntry } from './audit-trail.js';

/** A decision, as a row of the store. S6.5 */
export function auditRowOf({ at, actor, access, decision, reason, requestId, remoteAddress }: AuditEntry): AuditRow {
  const { action, event, callback, list, entity, operation }: AuditedAccess = access;
  return {
    ...{ id: randomUUID(), at, decision, requestId },
    ...(actor ? actor : { subject: 'nobody', roles: [] }),
    action: [action, event ?? callback ?? list].filter(Boolean).join(' '),
    ...(entity && { entity }),
    ...(operation !== undefined && { operation }),
    ...(reason !== undefined && { reason }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  };
}

/** An access, or a request of which nobody knows who asked. */
type AuditedAccess = Omit<Access, 'action'> & { readonly action: string };

import type { Actor } from '../protocol/actor.js';
import type { Rejection } from '../protocol/rejection.js';
import type { Access } from './access.js';

/** One decision on what somebody wanted to do. S6.5 */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Nobody when the request did not show who asked. */
  readonly actor: Actor | undefined;
  /** Where nobody asked: the method and path of the request. */
  readonly access: Access | { readonly action: string };
  readonly decision: 'allowed' | 'denied';
  readonly reason?: string;
  /** The state, or what the entity knows besides, forbade it: nothing has changed, and nothing else has a row of that. S2.2 */
  readonly rejection?: Rejection;
  /** Of the HTTP request. */
  readonly requestId: string;
  readonly remoteAddress?: string;
}

/** Where decisions are written. Nobody waits for that. */
export interface AuditTrail {
  record(entry: AuditEntry): void;
}

/** Each decision goes to all of these. */
export function auditTrails(...trails: readonly AuditTrail[]): AuditTrail {
  return { record: (entry) => trails.forEach((trail) => trail.record(entry)) };
}

import type { Actor } from '../protocol/actor.js';
import type { Rejection } from '../protocol/rejection.js';
import type { Access } from './access.js';

/** One decision on a request of a caller. S6.5 */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Shows who asked; `undefined` when the request did not show it. */
  readonly actor: Actor | undefined;
  /** Shows what was wanted. Where the request did not show who asked, the method and path of the request. */
  readonly access: Access | { readonly action: string };
  readonly decision: 'allowed' | 'denied';
  readonly reason?: string;
  /** The answer of an entity that rejected the event. Nothing has changed then, and there is no other record of it. S2.2 */
  readonly rejection?: Rejection;
  /** The id of the HTTP request. */
  readonly requestId: string;
  readonly remoteAddress?: string;
}

/** Receives the decisions and writes them. No request waits for that. */
export interface AuditTrail {
  record(entry: AuditEntry): void;
}

/** A trail that passes each decision to all of these. */
export function auditTrails(...trails: readonly AuditTrail[]): AuditTrail {
  return { record: (entry) => trails.forEach((trail) => trail.record(entry)) };
}

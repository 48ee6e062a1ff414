import type { Actor } from './actor.js';
import type { Access } from './authorizer.js';

/** One decision on what somebody wanted to do. S6.5 */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: Actor;
  readonly access: Access;
  readonly decision: 'allowed' | 'denied';
  readonly reason?: string;
  /** Of the HTTP request. */
  readonly requestId: string;
}

/** Where decisions are written, before what was wanted is done. */
export interface AuditTrail {
  record(entry: AuditEntry): Promise<void>;
}

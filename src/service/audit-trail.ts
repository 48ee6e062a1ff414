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

/** Where decisions are written. */
export interface AuditTrail {
  /** @throws when it cannot be written; then what was wanted is not done */
  record(entry: AuditEntry): Promise<void>;
}

import { hostname, userInfo } from 'node:os';
import type { AnyEntity } from '../../../definition/entity.js';
import { knownRoles } from '../../../definition/roles.js';
import { ALL_TENANTS } from '../../../protocol/actor.js';
import type { Authenticator } from '../../../service/authentication/authenticator.js';

/** The name of the person at the command line, in the audit trail and in the notes of rollouts: `ada@ops-1`. S6.5 */
export function operatorSubject(): string {
  return `${userName()}@${hostname()}`;
}

/** The user of this process. In a container, it may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/**
 * A person with access to Temporal and the store can do everything, so every request is the operator's. `further` are the roles
 * that components name. S6.5
 */
export function operatorAuthenticator(entities: readonly AnyEntity[], further: readonly string[]): Authenticator {
  const actor = { subject: operatorSubject(), tenant: ALL_TENANTS, roles: knownRoles(entities, further) };
  return { authenticate: () => Promise.resolve({ actor, until: Infinity }) };
}

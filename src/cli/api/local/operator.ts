import type { AnyEntity } from '../../../definition/entity.js';
import { knownRoles } from '../../../definition/roles.js';
import { ALL_TENANTS } from '../../../protocol/actor.js';
import type { Authenticator } from '../../../service/authentication/authenticator.js';

/** The name of the person at the command line in the audit trail. */
export const OPERATOR_SUBJECT = 'operator';

/**
 * A person with access to Temporal and the store can do everything, so every request is the operator's. `further` are the roles
 * that components name. S6.5
 */
export function operatorAuthenticator(entities: readonly AnyEntity[], further: readonly string[]): Authenticator {
  const actor = { subject: OPERATOR_SUBJECT, tenant: ALL_TENANTS, roles: knownRoles(entities, further) };
  return { authenticate: () => Promise.resolve({ actor, until: Infinity }) };
}

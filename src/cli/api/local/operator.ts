import type { AnyEntity } from '../../../definition/entity.js';
import { knownRoles } from '../../../definition/roles.js';
import { ALL_TENANTS } from '../../../protocol/actor.js';
import type { Authenticator } from '../../../service/authentication/authenticator.js';

/** As whom the audit trail knows the one at the command line. */
export const OPERATOR_SUBJECT = 'operator';

/** Whoever reaches Temporal and the store may do everything, so every request is the operator's. S6.5 */
export function operatorAuthenticator(entities: readonly AnyEntity[]): Authenticator {
  const actor = { subject: OPERATOR_SUBJECT, tenant: ALL_TENANTS, roles: knownRoles(entities) };
  return { authenticate: () => Promise.resolve({ actor, until: Infinity }) };
}

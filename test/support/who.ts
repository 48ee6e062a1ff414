import type { Authenticator } from '../../src/service/authentication/authenticator.js';

/** As whom a test asks. */
export interface Who {
  readonly role: string;
  readonly tenant: string;
}

/** Anyone who says so in headers is it. */
export const rolesAndTenants: Authenticator = {
  async authenticate({ headers }) {
    const [role, tenant] = [headers.get('x-role'), headers.get('x-tenant')];
    if (role === null || tenant === null) return undefined;
    return { actor: { subject: `${role} of ${tenant}`, tenant, roles: [role] }, until: Infinity };
  },
};

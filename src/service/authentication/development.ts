import { knownRoles } from '../../definition/roles.js';
import type { AnyEntity } from '../../definition/entity.js';
import { ALL_TENANTS } from '../../protocol/actor.js';
import type { Authenticator } from './authenticator.js';

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Takes everybody on this machine for the developer, who has all roles. It refuses a page of another site in this machine's
 * browser, whatever name that uses for this machine. `further` are the roles that components name.
 */
export function developmentAuthenticator(
  entities: readonly AnyEntity[],
  further: readonly string[] = [],
): Authenticator {
  const actor = { subject: 'developer', tenant: ALL_TENANTS, roles: knownRoles(entities, further) };
  return {
    open: true,
    async authenticate({ url, headers }) {
      const { hostname, host } = new URL(url);
      const origin = headers.get('origin');
      const elsewhere = origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host);
      // A target in absolute form can name another host than the header. Both have to be this machine.
      const here = THIS_MACHINE.has(hostname) && isThisMachine(headers.get('host') ?? host);
      return here && !elsewhere ? { actor, until: Infinity } : undefined;
    },
  };
}

/** Tells whether a host, with a port or without one, is this machine. */
function isThisMachine(host: string): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && THIS_MACHINE.has(new URL(url).hostname);
}

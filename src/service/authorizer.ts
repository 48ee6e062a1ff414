import type { EntityRef } from '../protocol/names.js';
import type { Actor } from './actor.js';

/** What somebody wants to do, and to what. */
export interface Access {
  readonly action: 'read' | 'create' | 'raise' | 'retry' | 'mark-lost' | 'cancel';
  /** With `create` and `raise`, unless an entity comes to be without an event. */
  readonly event?: string;
  readonly entity?: EntityRef;
  readonly operation?: string;
}

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Knows who asks, and who may do what. S6.5 */
export interface Authorizer {
  /** Nobody when the request does not show who asks. */
  authenticate(request: Request): Promise<Actor | undefined>;
  authorise(actor: Actor, access: Access): Promise<Decision>;
}

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Everybody on this machine may do everything: for a service that listens on loopback only. A page of another site in
 * this machine's browser is not on this machine, whatever name it has for it.
 */
export const developmentAuthorizer: Authorizer = {
  async authenticate({ url, headers }) {
    const { hostname, host } = new URL(url);
    const origin = headers.get('origin');
    const elsewhere = origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host);
    if (!THIS_MACHINE.has(hostname) || elsewhere) return undefined;
    return { subject: 'developer', roles: ['developer'] };
  },
  authorise: async () => ({ allowed: true }),
};

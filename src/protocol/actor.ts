/** Who asks: what the service knows of them, carried with what they raise so that the entity can decide as well. S6.5 */
export interface Actor {
  /** A person or a program, unique within whoever vouches for it. */
  readonly subject: string;
  /** The tenant for which they act, or {@link ALL_TENANTS}. Never left out, so that forgetting it opens nothing. */
  readonly tenant: string;
  readonly roles: readonly string[];
}

/** Stands for every tenant, and for what belongs to none. It is no name of a tenant. */
export const ALL_TENANTS = '*';

/** A name of a tenant. */
export const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

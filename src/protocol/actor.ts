import { z } from 'zod';
import type { Described } from './plain.js';

/** Stands for every tenant, and for entities of no tenant. It is not a valid name of a tenant. */
export const ALL_TENANTS = '*';

/** A name of a tenant. */
export const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export const actor = z.object({
  /** A person or a program. It is unique within the authority that vouches for it. */
  subject: z.string().min(1).max(256),
  /**
   * The tenant for which they act, or {@link ALL_TENANTS}. It is required, so that nobody gets access because it was forgotten.
   */
  tenant: z.string().min(1).max(63),
  roles: z.array(z.string().max(64)).max(64),
});

/** Describes who asks: what the service knows of them, carried with what they raise so that the entity can decide as well. S6.5 */
export interface Actor extends Described<typeof actor> {}

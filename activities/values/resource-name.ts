import { z } from 'zod';

/** What a logical server, and all that belongs to it, is called: fit for a host name and a role of PostgreSQL. */
export const resourceName = z
  .string()
  .regex(
    /^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$/,
    'use 1 to 42 lower-case letters, digits and hyphens, the first a letter and the last no hyphen',
  );

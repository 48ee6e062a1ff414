import { z } from 'zod';

/** The name of a logical server and of all that belongs to it. It is fit for a host name and for a role of PostgreSQL. */
export const resourceName = z
  .string()
  .regex(
    /^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$/,
    'use 1 to 42 lower-case letters, digits and hyphens, begin with a letter and do not end with a hyphen',
  );

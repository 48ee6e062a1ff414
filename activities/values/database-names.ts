import { z } from 'zod';

const SQL_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** A name in PostgreSQL that needs no quotes. */
export const sqlName = z
  .string()
  .regex(SQL_NAME, 'use 1 to 63 lower-case letters, digits and underscores, and do not begin with a digit');

/**
 * The name of an instance. A server's first one is `orders`, and its second one `orders.2`. A database's are `orders.sales` and
 * `orders.sales.2`.
 */
export const applicationName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,41}(\.[a-z0-9_]{1,63}){0,2}$/,
    'write the server, a dot and the database, and another dot and a number for all instances after the first',
  );

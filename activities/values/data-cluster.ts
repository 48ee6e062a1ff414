import { z } from 'zod';

/** A group of instances that stand together; those of one cluster share nothing with those of another. */
export const dataCluster = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'use 1 to 31 lower-case letters, digits and hyphens, the first a letter');

/** Where instances are when nobody asks for a certain place. */
export const DEFAULT_DATA_CLUSTER = 'main';

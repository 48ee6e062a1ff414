import { z } from 'zod';

/** The name of a group of instances that stand together. Instances of one cluster share nothing with those of another. */
export const dataCluster = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'use 1 to 31 lower-case letters, digits and hyphens, and begin with a letter');

/** The data cluster of instances when nobody asks for another one. */
export const DEFAULT_DATA_CLUSTER = 'main';

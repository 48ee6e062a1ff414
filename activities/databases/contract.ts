import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';

const application = z.string();
const none = z.object({});

/** PostgreSQL instances, and the databases in them. */
export const databases = defineResource('databases', {
  createInstance: {
    input: z.object({ application }),
    output: z.object({ host: z.string(), port: z.number().int() }),
    summary: 'create the PostgreSQL instance {application}',
  },
  locateInstance: {
    input: z.object({ application }),
    output: z.object({ host: z.string(), port: z.number().int() }),
    summary: 'locate the PostgreSQL instance {application}',
  },
  dropInstance: {
    input: z.object({ application }),
    output: none,
    summary: 'drop the PostgreSQL instance {application}',
  },
  createDatabase: {
    input: z.object({ application, database: z.string() }),
    output: none,
    summary: 'create the database {database} in {application}',
  },
  /** Gives the database an administrator with a generated password, which stays with the provider. */
  configureMaster: {
    input: z.object({ application, database: z.string(), administrator: z.string() }),
    output: none,
    summary: 'make {administrator} the administrator of {database} in {application}',
  },
  dropDatabase: {
    input: z.object({ application, database: z.string(), administrator: z.string() }),
    output: none,
    summary: 'drop the database {database} in {application}',
  },
});

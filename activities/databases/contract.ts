import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';
import { dataCluster } from '../values/data-cluster.js';
import { resourceName } from '../values/resource-name.js';
import { applicationName, sqlName } from '../values/database-names.js';
import { serviceObjective } from '../values/service-objective.js';

const application = applicationName;
const database = sqlName;
const administrator = sqlName;
const server = resourceName;
const none = z.object({});
const address = z.object({ host: z.string(), port: z.number().int() });
/** The timeout of calls that copy data, since copying takes longer the more data there is. */
const LONG = '30m';

/** PostgreSQL instances, and the databases in them. */
export const databases = defineResource(
  'databases',
  resumedByHost({
    /** Creates an empty instance, or a copy of another one as it is at that time. */
    createInstance: {
      input: z.object({ application, dataCluster, copyOf: applicationName.optional() }),
      output: address,
      timeout: LONG,
      summary: 'create the PostgreSQL instance {application} in {dataCluster}',
    },
    /** Drops an instance. If it is a standby, its primary stops keeping changes for it. */
    dropInstance: {
      input: z.object({ application }),
      output: none,
      summary: 'drop the PostgreSQL instance {application}',
    },
    /** Stops the instance, and lets nobody connect to it until it is released. */
    fenceInstance: { input: z.object({ application }), output: none, summary: 'fence {application}' },
    releaseInstance: { input: z.object({ application }), output: none, summary: 'release {application}' },

    /** Makes a copy of another instance, which follows that by logical replication. */
    createStandby: {
      input: z.object({ application, dataCluster, primary: applicationName }),
      output: none,
      timeout: LONG,
      summary: 'let {application} in {dataCluster} follow {primary}',
    },
    /** Tells whether the standby is fit to take over. */
    inspectStandby: {
      input: z.object({ application }),
      output: z.object({ healthy: z.boolean(), lagBytes: z.number().optional() }),
      summary: 'compare the standby {application} with its primary',
    },
    /** Lets the standby take the place of its primary, which is fenced. */
    promoteStandby: {
      input: z.object({ application, primary: applicationName, allowDataLoss: z.boolean() }),
      output: address,
      timeout: '5m',
      summary: 'let {application} take the place of {primary}',
    },

    createDatabase: {
      input: z.object({ application, database }),
      output: none,
      summary: 'create the database {database} in {application}',
    },
    /** Gives the database the administrator of its server. The password is generated, and only the provider keeps it. */
    configureMaster: {
      input: z.object({ application, database, server, administrator, insteadOf: sqlName.optional() }),
      output: none,
      summary: 'make {administrator} the administrator of {database} in {application}',
    },
    scaleDatabase: {
      input: z.object({ application, database, serviceObjective }),
      output: none,
      summary: 'give {database} in {application} the resources of {serviceObjective}',
    },
    renameDatabase: {
      input: z.object({ application, database, name: sqlName }),
      output: none,
      summary: 'rename {database} in {application} to {name}',
    },
    dropDatabase: {
      input: z.object({ application, database, administrator }),
      output: none,
      summary: 'drop the database {database} in {application}',
    },
    /** Forgets the password of a server's administrator, which is not needed any more. */
    forgetAdministrator: { input: z.object({ server }), output: none, summary: 'forget the administrator of {server}' },
  }),
);

import { z } from 'zod';
import {
  all,
  alreadyDone,
  alreadyInProgress,
  and,
  any,
  defineEntity,
  deleted,
  initial,
  none,
  or,
  rejection,
  stable,
  unstable,
} from '../../src/definition/index.js';
import { Alias } from '../alias/definition.js';
import { DatabaseService } from '../database-service/definition.js';
import { DnsRecord } from '../dns-record/definition.js';
import { resourceName } from '../../activities/resource-name.js';
import { SqlApplication } from '../sql-application/definition.js';

const roleName = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'use 1 to 63 lower-case letters, digits and underscores, the first no digit')
  .refine((name) => !name.startsWith('pg_') && name !== 'postgres', 'PostgreSQL keeps this name for itself');

/** What an action raises that removes all resources. */
const removal = ['DnsRecord.delete', 'Alias.delete', 'DatabaseService.delete', 'SqlApplication.delete'] as const;

/** A logical server, created as in picture 4 of the source: Creating, CreatingResources, Ready. S6.4 */
export const LogicalServer = defineEntity('LogicalServer', {
  description: 'A server of databases, reached by its name.',
  key: resourceName,
  properties: z.object({
    administrator: z.string().optional(),
    database: z.string().default('master'),
    address: z.object({ host: z.string(), port: z.number().int() }).optional(),
  }),
  states: {
    Absent: initial(),
    Creating: unstable({
      description: 'Reserves the address and starts the provisioning of the resources.',
      retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' },
    }),
    CreatingResources: stable({ waiting: true }),
    Ready: stable(),
    Undoing: unstable({
      health: 'error',
      description: 'Removes what has been created of a server that failed.',
      retry: { attempts: 10, delay: '1s', exhausted: 'Failed' },
    }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.strictObject({ administrator: roleName.default('administrator') }),
      in: 'Absent',
      otherwise: {
        Creating: alreadyInProgress(),
        CreatingResources: alreadyInProgress(),
        Ready: alreadyDone(),
        Undoing: rejection('creation_failed', 'A failed creation is being undone'),
        Failed: rejection('creation_failed', 'The creation failed: delete the server before you create it again'),
        Deleting: rejection('deletion_in_progress', 'The server is being deleted'),
      },
    },
    applicationReady: { in: 'CreatingResources', internal: true },
    serviceReady: { in: 'CreatingResources', internal: true },
    resourcesReady: { in: 'CreatingResources', internal: true },
    resourceFailed: { in: 'CreatingResources', internal: true },
    delete: {
      in: ['CreatingResources', 'Ready', 'Failed'],
      otherwise: { Deleting: alreadyInProgress() },
    },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating', raises: [] },
    createResources: {
      in: 'Creating',
      to: 'CreatingResources',
      raises: ['SqlApplication.create', 'DnsRecord.create'],
    },
    createService: {
      on: 'applicationReady',
      in: 'CreatingResources',
      to: 'CreatingResources',
      raises: ['DatabaseService.create'],
    },
    createAlias: {
      on: 'serviceReady',
      in: 'CreatingResources',
      to: 'CreatingResources',
      raises: ['Alias.create'],
    },
    finish: { on: 'resourcesReady', in: 'CreatingResources', to: 'Ready', raises: [] },
    fail: { on: 'resourceFailed', in: 'CreatingResources', to: 'Undoing', raises: [] },
    undo: { in: 'Undoing', to: 'Failed', raises: removal },
    beginDeletion: { on: 'delete', in: ['CreatingResources', 'Ready', 'Failed'], to: 'Deleting', raises: [] },
    deleteResources: { in: 'Deleting', to: 'Deleted', raises: removal },
  },
  subscriptions: {
    // A resource that does not even begin (the one before it is still being deleted) has failed as well.
    failed: { when: or(any({ is: 'failed' }), any({ is: 'rejected' })), raise: 'resourceFailed' },
    application: {
      when: and(all({ of: SqlApplication, in: 'Ready' }), none({ of: DatabaseService })),
      raise: 'applicationReady',
    },
    service: { when: and(all({ of: DatabaseService, in: 'Ready' }), none({ of: Alias })), raise: 'serviceReady' },
    ready: {
      when: and(
        all({ of: SqlApplication, in: 'Ready' }),
        all({ of: DatabaseService, in: 'Ready' }),
        all({ of: Alias, in: 'Ready' }),
        all({ of: DnsRecord, in: 'Ready' }),
      ),
      raise: 'resourcesReady',
    },
  },
});

import { z } from 'zod';
import {
  alreadyDone,
  alreadyInProgress,
  defineEntity,
  deleted,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';
import { applicationName } from '../../activities/values/database-names.js';
import { resourceName } from '../../activities/values/resource-name.js';

export const Alias = defineEntity('Alias', {
  description: 'A stable address: the gateway to the databases of a logical server.',
  key: resourceName,
  properties: z.object({
    application: applicationName.optional(),
    host: z.string().optional(),
    port: z.number().int().optional(),
  }),
  dimensions: { logical_server_id: 'key' },
  roles: { read: ['reader', 'owner', 'operator'] },
  states: {
    Absent: initial(),
    Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
    Ready: stable(),
    Pointing: unstable({ retry: { delay: '500ms' } }),
    CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.strictObject({ application: applicationName }),
      in: 'Absent',
      otherwise: { Creating: alreadyInProgress(), Ready: alreadyDone() },
    },
    point: {
      params: z.strictObject({ application: applicationName }),
      in: ['Ready', 'Pointing'],
      internal: true,
    },
    delete: { in: ['Ready', 'Failed'], otherwise: { Deleting: alreadyInProgress() } },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating' },
    point: { in: 'Creating', to: 'Ready' },
    repoint: { on: 'point', in: ['Ready', 'Pointing'], to: 'Pointing' },
    pointAgain: { in: 'Pointing', to: 'Ready' },
    cleanUp: { in: 'CleaningUp', to: 'Failed' },
    beginDeletion: { on: 'delete', in: ['Ready', 'Failed'], to: 'Deleting' },
    remove: { in: 'Deleting', to: 'Deleted' },
  },
});

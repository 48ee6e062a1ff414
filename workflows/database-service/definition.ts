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

export const DatabaseService = defineEntity('DatabaseService', {
  description: 'A database in an SQL application, configured as the logical master of a logical server.',
  key: resourceName,
  properties: z.object({
    application: applicationName.optional(),
    database: z.string().optional(),
    administrator: z.string().optional(),
  }),
  dimensions: { logical_server_id: 'key' },
  roles: { read: ['reader', 'owner', 'operator'] },
  states: {
    Absent: initial(),
    Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
    ConfiguringMaster: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
    Ready: stable(),
    CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.object({ application: applicationName, database: z.string(), administrator: z.string() }),
      in: 'Absent',
      otherwise: { Creating: alreadyInProgress(), ConfiguringMaster: alreadyInProgress(), Ready: alreadyDone() },
    },
    follow: {
      params: z.strictObject({ application: applicationName }),
      in: 'Ready',
      internal: true,
      description: 'The database is in another SQL application from now on.',
    },
    delete: { in: ['Ready', 'Failed'], otherwise: { Deleting: alreadyInProgress() } },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating', raises: [] },
    create: { in: 'Creating', to: 'ConfiguringMaster', raises: [] },
    configureMaster: { in: 'ConfiguringMaster', to: 'Ready', raises: [] },
    follow: { on: 'follow', in: 'Ready', raises: [] },
    cleanUp: { in: 'CleaningUp', to: 'Failed', raises: [] },
    beginDeletion: { on: 'delete', in: ['Ready', 'Failed'], to: 'Deleting', raises: [] },
    drop: { in: 'Deleting', to: 'Deleted', raises: [] },
  },
});

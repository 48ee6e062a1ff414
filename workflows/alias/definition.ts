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
import { resourceName } from '../../activities/resource-name.js';

export const Alias = defineEntity('Alias', {
  description: 'A stable address that forwards to the database service of an SQL application.',
  key: resourceName,
  properties: z.object({
    application: z.string().optional(),
    host: z.string().optional(),
    port: z.number().int().optional(),
  }),
  states: {
    Absent: initial(),
    Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
    Ready: stable(),
    CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.object({ application: resourceName }),
      in: 'Absent',
      otherwise: { Creating: alreadyInProgress(), Ready: alreadyDone() },
    },
    delete: { in: ['Ready', 'Failed'], otherwise: { Deleting: alreadyInProgress() } },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating' },
    point: { in: 'Creating', to: 'Ready' },
    cleanUp: { in: 'CleaningUp', to: 'Failed' },
    beginDeletion: { on: 'delete', in: ['Ready', 'Failed'], to: 'Deleting' },
    remove: { in: 'Deleting', to: 'Deleted' },
  },
});

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
import { statesThat } from '../states-that.js';

const states = {
  Absent: initial(),
  Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
  Ready: stable(),
  Pointing: unstable({ retry: { delay: '500ms' } }),
  Inspecting: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Unbound' } }),
  Unbound: unstable({
    health: 'error',
    description:
      'It does not listen at its address, which another program has taken. It tries again until the address is free.',
    retry: { delay: '1s', maxDelay: '10s' },
  }),
  CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
  Failed: stable({ health: 'error' }),
  Deleting: unstable({ retry: { delay: '500ms' } }),
  Deleted: deleted(),
};

/** The states in which it leads somewhere, or will do so as soon as it can. */
const pointed = statesThat({
  Absent: false,
  Creating: false,
  Ready: true,
  Pointing: true,
  Inspecting: true,
  Unbound: true,
  CleaningUp: false,
  Failed: false,
  Deleting: false,
  Deleted: false,
} as const satisfies Record<keyof typeof states, boolean>);
const deletable = [...pointed, 'Failed'] as const;

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
  states,
  events: {
    create: {
      params: z.strictObject({ application: applicationName }),
      in: 'Absent',
      otherwise: { Creating: alreadyInProgress(), Ready: alreadyDone() },
    },
    point: {
      params: z.strictObject({ application: applicationName }),
      in: pointed,
      internal: true,
    },
    inspect: {
      in: 'Ready',
      otherwise: { Inspecting: alreadyInProgress(), Unbound: alreadyInProgress(), Pointing: alreadyInProgress() },
      budget: '1m',
      description: 'Checks the alias, and binds it to its address again.',
    },
    delete: { in: deletable, otherwise: { Deleting: alreadyInProgress() } },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating', raises: [] },
    point: { in: 'Creating', to: 'Ready', raises: [] },
    repoint: { on: 'point', in: pointed, to: 'Pointing', raises: [] },
    pointAgain: { in: 'Pointing', to: 'Ready', raises: [] },
    beginInspection: { on: 'inspect', in: 'Ready', to: 'Inspecting', raises: [] },
    inspect: { in: 'Inspecting', to: ['Ready', 'Unbound'], raises: [] },
    bindAgain: { in: 'Unbound', to: 'Ready', raises: [] },
    cleanUp: { in: 'CleaningUp', to: 'Failed', raises: [] },
    beginDeletion: { on: 'delete', in: deletable, to: 'Deleting', raises: [] },
    remove: { in: 'Deleting', to: 'Deleted', raises: [] },
  },
});

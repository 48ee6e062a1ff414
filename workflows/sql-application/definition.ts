import { z } from 'zod';
import { dataCluster, DEFAULT_DATA_CLUSTER } from '../../activities/values/data-cluster.js';
import { applicationName } from '../../activities/values/database-names.js';
import { resourceName } from '../../activities/values/resource-name.js';
import {
  alreadyDone,
  alreadyInProgress,
  defineEntity,
  deleted,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';

const deletable = ['Ready', 'Following', 'Fenced', 'Failed'] as const;

export const SqlApplication = defineEntity('SqlApplication', {
  description: 'A PostgreSQL instance in a data cluster. It may follow another one as its standby.',
  key: applicationName,
  properties: z.object({
    server: resourceName.optional(),
    dataCluster: dataCluster.default(DEFAULT_DATA_CLUSTER),
    /** The instance that it was copied from. */
    copyOf: applicationName.optional(),
    /** The instance that it follows. */
    primary: applicationName.optional(),
    allowDataLoss: z.boolean().default(false),
    host: z.string().optional(),
    port: z.number().int().optional(),
    /** For a standby: how many bytes it was behind when its primary could last be asked. */
    lagBytes: z.number().optional(),
  }),
  dimensions: { data_cluster_id: 'properties.dataCluster', logical_server_id: 'properties.server' },
  roles: { read: ['reader', 'owner', 'operator'] },
  states: {
    Absent: initial(),
    Creating: unstable({
      retry: {
        ...{ attempts: 5, delay: '500ms', exhausted: 'CleaningUp' },
        // Another attempt finds no other data clusters.
        errors: { no_data_cluster: { attempts: 1 } },
      },
    }),
    Ready: stable(),
    Following: stable({ description: 'It is a standby. All changes of its primary are replicated to it.' }),
    Inspecting: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Following' } }),
    Refreshing: unstable({
      description: 'The tables or the like of its primary have changed, so it is copied anew.',
      retry: { delay: '1s' },
    }),
    Promoting: unstable({ retry: { attempts: 10, delay: '1s', exhausted: 'Following' } }),
    Fencing: unstable({ retry: { delay: '500ms' } }),
    Fenced: stable({ description: 'It is stopped and takes no clients. What is in it stays.' }),
    Releasing: unstable({ retry: { delay: '500ms' } }),
    CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.strictObject({
        server: resourceName.optional(),
        dataCluster: dataCluster.default(DEFAULT_DATA_CLUSTER),
        copyOf: applicationName.optional(),
        standbyOf: applicationName.optional(),
      }),
      in: 'Absent',
      otherwise: {
        Creating: alreadyInProgress(),
        Ready: alreadyDone(),
        Following: alreadyDone(),
        Deleting: alreadyInProgress('it is being deleted'),
      },
      budget: '10m',
    },
    inspect: { in: 'Following', budget: '5m' },
    promote: {
      params: z.strictObject({ allowDataLoss: z.boolean().default(false) }),
      in: 'Following',
      otherwise: { Ready: alreadyDone(), Promoting: alreadyInProgress() },
      internal: true,
    },
    fence: {
      in: 'Ready',
      otherwise: { Fenced: alreadyDone(), Fencing: alreadyInProgress() },
      internal: true,
    },
    release: {
      in: 'Fenced',
      otherwise: { Ready: alreadyDone(), Releasing: alreadyInProgress() },
      internal: true,
    },
    delete: { in: deletable, otherwise: { Deleting: alreadyInProgress() }, budget: '5m' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating', raises: [] },
    install: { in: 'Creating', to: ['Ready', 'Following'], raises: [] },
    beginInspection: { on: 'inspect', in: 'Following', to: 'Inspecting', raises: [] },
    inspect: { in: 'Inspecting', to: ['Following', 'Refreshing'], raises: [] },
    refresh: { in: 'Refreshing', to: 'Following', raises: [] },
    beginPromotion: { on: 'promote', in: 'Following', to: 'Promoting', raises: [] },
    promote: { in: 'Promoting', to: 'Ready', raises: [] },
    beginFencing: { on: 'fence', in: 'Ready', to: 'Fencing', raises: [] },
    fence: { in: 'Fencing', to: 'Fenced', raises: [] },
    beginRelease: { on: 'release', in: 'Fenced', to: 'Releasing', raises: [] },
    release: { in: 'Releasing', to: 'Ready', raises: [] },
    cleanUp: { in: 'CleaningUp', to: 'Failed', raises: [] },
    beginDeletion: { on: 'delete', in: deletable, to: 'Deleting', raises: [] },
    uninstall: { in: 'Deleting', to: 'Deleted', raises: [] },
  },
  timers: { inspection: { every: '1m', raise: 'inspect' } },
});

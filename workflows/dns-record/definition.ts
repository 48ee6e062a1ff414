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
import { resourceName } from '../../activities/values/resource-name.js';

const address = z.object({ host: z.string(), port: z.number().int() });

export const DnsRecord = defineEntity('DnsRecord', {
  description: 'The name of a logical server, as the name server tells it.',
  key: resourceName,
  properties: z.object({ address: address.optional(), fqdn: z.string().optional() }),
  dimensions: { logical_server_id: 'key' },
  roles: { read: ['reader', 'owner', 'operator'] },
  states: {
    Absent: initial(),
    Publishing: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'CleaningUp' } }),
    Ready: stable(),
    CleaningUp: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.object({ address }),
      in: 'Absent',
      otherwise: { Publishing: alreadyInProgress(), Ready: alreadyDone() },
    },
    delete: { in: ['Ready', 'Failed'], otherwise: { Deleting: alreadyInProgress() } },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Publishing', raises: [] },
    publish: { in: 'Publishing', to: 'Ready', raises: [] },
    cleanUp: { in: 'CleaningUp', to: 'Failed', raises: [] },
    beginDeletion: { on: 'delete', in: ['Ready', 'Failed'], to: 'Deleting', raises: [] },
    withdraw: { in: 'Deleting', to: 'Deleted', raises: [] },
  },
});

import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';
import { dataCluster } from '../values/data-cluster.js';
import { resourceName } from '../values/resource-name.js';

const server = resourceName;
const none = z.object({});

/** The data clusters that have capacity for new servers. */
export const dataClusters = defineResource(
  'dataClusters',
  resumedByHost({
    list: { input: none, output: z.object({ names: z.array(dataCluster) }), summary: 'list the data clusters' },
    /** For how many more instances there is capacity. What the server itself has reserved counts as free. */
    askForRoom: {
      input: z.object({ dataCluster, server }),
      output: z.object({ free: z.number().int() }),
      timeout: '10s',
      summary: 'ask {dataCluster} for capacity for {server}',
    },
    /** Reserves capacity for the instance of a server until that is there, and releases what it had reserved elsewhere. */
    takeRoom: {
      input: z.object({ dataCluster, server }),
      output: none,
      summary: 'reserve capacity in {dataCluster} for {server}',
    },
    /** No instance of the server is to come any more. */
    giveRoomBack: { input: z.object({ server }), output: none, summary: 'release the capacity for {server}' },
  }),
);

import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';
import { dataCluster } from '../values/data-cluster.js';
import { resourceName } from '../values/resource-name.js';

const server = resourceName;
const none = z.object({});

/** The data clusters that offer room for new servers. */
export const dataClusters = defineResource(
  'dataClusters',
  resumedByHost({
    list: { input: none, output: z.object({ names: z.array(dataCluster) }), summary: 'list the data clusters' },
    /** For how many instances there is room, apart from what the server itself has taken. */
    askForRoom: {
      input: z.object({ dataCluster, server }),
      output: z.object({ free: z.number().int() }),
      timeout: '10s',
      summary: 'ask {dataCluster} for room for {server}',
    },
    /** Keeps room for the instance of a server until that is there. What it had taken elsewhere is free again. */
    takeRoom: {
      input: z.object({ dataCluster, server }),
      output: none,
      summary: 'take room in {dataCluster} for {server}',
    },
    /** No instance of the server is to come any more. */
    giveRoomBack: { input: z.object({ server }), output: none, summary: 'give back the room for {server}' },
  }),
);

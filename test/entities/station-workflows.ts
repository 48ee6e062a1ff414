import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Daemon, processes } from './shop.js';
import { station } from './station.js';

export default entityWorkflowsWith(
  {
    lookDistance: { firstMs: 1_000, longestMs: 2_000 },
    deployments: { components: [Daemon], resources: [processes], pingEvery: '1s' },
  },
  station,
);

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { ALL_OPERATIONS } from '../entities/harvest.js';
import { approvals } from '../entities/order.js';
import { pad } from '../entities/rig.js';
import { implementations } from './implementations.js';

// Nobody waits half a minute for an entity that was terminated.
export default entityWorkflowsWith(
  {
    lookDistance: { firstMs: 300, longestMs: 1_000 },
    deployments: { resources: [pad, approvals] },
    distributed: ALL_OPERATIONS,
  },
  ...implementations,
);

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { fleet, ship } from './fleet-workflows.js';
import { box, room } from './workflows.js';

/** Nobody looks after a successor within the time of a test: only the keeper finds what was lost. */
export default entityWorkflowsWith(
  { restAfter: '5s', lookDistance: { firstMs: 3_600_000, longestMs: 3_600_000 } },
  fleet,
  ship,
  box,
  room,
);

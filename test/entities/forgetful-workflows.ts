import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { box, room } from './workflows.js';

/** Boxes and rooms that remember but a few requests, and go on in a new run after a second of rest. */
export default entityWorkflowsWith(
  { restAfter: '1s', ledgerSizes: { recent: 2, group: 1, block: 2, blocks: 1 } },
  box,
  room,
);

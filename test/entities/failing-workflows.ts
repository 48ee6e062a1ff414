import { implementActions } from '../../src/definition/index.js';
import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Box } from './box.js';
import { box, room } from './workflows.js';

/** A build of boxes that cannot be relabelled. */
const broken = implementActions(Box, {
  ...box.actions,
  relabel: async () => {
    throw new Error('this build cannot relabel');
  },
});

export default entityWorkflowsWith({ restAfter: '10m' }, broken, room);

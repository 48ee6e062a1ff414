import { implementActions, type EntityImplementation } from '../../../src/definition/index.js';
import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, box, counter, inquiry, lamp, room, transfer } from '../../replay/entities/actions.js';
import { FailingCounter } from './failing-counter.js';

/** A build whose counters cannot count, and which has brought them to a newer schema before that shows. */
const broken = implementActions(FailingCounter, {
  // The other actions use only what this schema has too.
  ...(counter.actions as unknown as EntityImplementation<typeof FailingCounter>['actions']),
  add: async () => {
    throw new Error('this build cannot count');
  },
});

export default entityWorkflowsWith({ restAfter: '10m' }, broken, box, inquiry, room, lamp, account, transfer);

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { box, room } from './workflows.js';

/** Boxes and rooms that go on in a new run after a second of rest. */
export default entityWorkflowsWith({ restAfter: '1s' }, box, room);

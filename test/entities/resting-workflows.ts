import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { box, room } from './workflows.js';

/** Boxes and rooms that go on in a new run after five seconds of rest: long enough to stop a worker before. */
export default entityWorkflowsWith({ restAfter: '5s' }, box, room);

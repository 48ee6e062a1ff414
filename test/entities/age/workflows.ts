import { workflowsOf } from '../../../src/temporal/workflows.js';
import { box, room } from '../workflows.js';

/** Boxes and rooms that go on in a new run after a second of rest. */
export default workflowsOf([box, room], { restAfter: '1s' });

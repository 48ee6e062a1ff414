import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { pottery } from './explain-workflows.js';

/** What a worker runs that was built before there were kilns. */
export default entityWorkflowsWith({ restAfter: '1h' }, pottery);

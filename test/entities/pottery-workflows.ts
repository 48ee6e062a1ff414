import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { pottery } from './explain-workflows.js';

/** The workflows of a worker that was built before there were kilns. */
export default entityWorkflowsWith({ restAfter: '1h' }, pottery);

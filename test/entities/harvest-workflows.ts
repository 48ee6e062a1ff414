import { entityWorkflowsWith } from '../../src/workflows.js';
import { OPERATIONS } from './harvest.js';

export default entityWorkflowsWith({ distributed: OPERATIONS });

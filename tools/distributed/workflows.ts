import { entityWorkflowsWith } from '../../src/workflows.js';
import { OPERATIONS } from './operations.js';

export default entityWorkflowsWith({ distributed: OPERATIONS });

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { subscriber } from './subscriber.js';

export default entityWorkflowsWith({ restAfter: '1s' }, subscriber);

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { firstSubscriber } from './subscriber.js';

export default entityWorkflowsWith({ restAfter: '1s' }, firstSubscriber);

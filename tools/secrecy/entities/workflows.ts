import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, slip } from './actions.js';

/** These entities go on in a new run after a short rest, so that they leave what was written under an old key. */
export default entityWorkflowsWith({ restAfter: '2s' }, account, slip);

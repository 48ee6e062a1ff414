import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, box, counter, inquiry, lamp, room, transfer } from './actions.js';
import { HASTY, shipped } from './shipped.js';

export { errand } from './errand.js';

export default entityWorkflowsWith(HASTY, ...shipped, counter, box, inquiry, room, lamp, account, transfer);

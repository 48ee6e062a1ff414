import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, box, inquiry, transfer } from './actions.js';
import { counter, lamp, room } from './next-actions.js';
import { HASTY, shipped } from './shipped.js';

export { errand } from './errand.js';

/** Another build of the same entities, which could replay none of the histories of the first one. */
export default entityWorkflowsWith(HASTY, ...shipped, counter, box, inquiry, room, lamp, account, transfer);

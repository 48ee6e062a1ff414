import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, box, inquiry, transfer } from '../../replay/entities/actions.js';
import { counter, lamp, room } from '../../replay/entities/next-actions.js';

/** The next build: its actions make other calls, so no history of the build before it replays on it. */
export default entityWorkflowsWith({ restAfter: '10m' }, counter, box, inquiry, room, lamp, account, transfer);

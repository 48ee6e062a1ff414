import { entityWorkflowsWith } from '../../../src/temporal/workflows.js';
import { account, box, counter, inquiry, lamp, room, transfer } from '../../replay/entities/actions.js';

/** The build with which all begins. Entities rest for longer than a rollout takes, so only a wake lets them go over in time. */
export default entityWorkflowsWith({ restAfter: '10m' }, counter, box, inquiry, room, lamp, account, transfer);

import { entityWorkflows } from 'reeve/workflows';
import { account, transfer } from './transfer.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(account, transfer);

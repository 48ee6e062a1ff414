import { entityWorkflows } from 'reeve/workflows';
import { subscription } from './subscription.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(subscription);

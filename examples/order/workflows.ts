import { entityWorkflows } from 'reeve/workflows';
import { orderActions } from './order.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(orderActions);

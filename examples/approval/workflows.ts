import { entityWorkflows } from 'reeve/workflows';
import { expense } from './approval.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(expense);

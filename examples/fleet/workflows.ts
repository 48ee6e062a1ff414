import { entityWorkflows } from 'reeve/workflows';
import { fleet, server } from './fleet.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(fleet, server);

import { entityWorkflows } from 'reeve/workflows';
import { site } from './site/actions.js';

/** The code of all entities. `reeve build` bundles it. */
export default entityWorkflows(site);

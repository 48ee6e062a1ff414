import { entityWorkflowsWith } from 'reeve/workflows';
import { media, Pipeline } from './pipeline.js';

/** The code of all components, and the resources that they call. `reeve build` bundles it. */
export default entityWorkflowsWith({ deployments: { components: [Pipeline], resources: [media] } });

import { entityWorkflowsWith } from 'reeve/workflows';
import { validate } from './validation.js';

/** The code that coordinates operations. `reeve build` bundles it. The jobs run elsewhere: see `executor.ts`. */
export default entityWorkflowsWith({ distributed: [validate] });

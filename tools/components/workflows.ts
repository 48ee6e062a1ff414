import { entityWorkflowsWith } from '../../src/workflows.js';
import { outside, OWN_KINDS } from '../simulation/components/kinds.js';
import { forest } from './forest.js';
import { RunDaemon, steps } from './multi-host.js';

export default entityWorkflowsWith(
  { deployments: { components: [RunDaemon, ...OWN_KINDS], resources: [steps, outside], pingEvery: '2s' } },
  forest,
);

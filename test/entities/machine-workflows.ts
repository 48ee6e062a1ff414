import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { files, processes, Program, sql } from './machine.js';

export default entityWorkflowsWith({
  deployments: { components: [Program], resources: [files, processes, sql], pingEvery: '1s' },
});

import { entityWorkflowsWith } from '../../src/temporal/workflows.js';
import { Application, Daemon, files, processes } from './shop.js';

export default entityWorkflowsWith({
  deployments: { components: [Application, Daemon], resources: [files, processes], pingEvery: '1s' },
});

import { controlPlaneResources } from '../activities/index.js';
import { homeFolder } from '../src/stack/home.js';
import { runWorker } from './run-worker.js';

/* The worker of the reference control plane, for a container or a development stack. */
await runWorker(controlPlaneResources(homeFolder()));

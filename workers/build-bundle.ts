import { DefaultLogger, Runtime } from '@temporalio/worker';
import { buildBundle } from './bundle.js';

Runtime.install({ logger: new DefaultLogger('WARN') });
await buildBundle();

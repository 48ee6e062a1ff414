import { NativeConnection, Worker } from '@temporalio/worker';
import { ReevePlugin } from '../../src/plugin/reeve-plugin.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { verified } from './entities/definitions.js';
import { callsOutside } from './outside.js';
import { openVerifiedStore } from './verified-store.js';
import type { WorkerSettings } from './worker-processes.js';

/* A worker that is ended in the middle of its work, gently by SIGTERM or by force. */
const settings = JSON.parse(process.argv[2]!) as WorkerSettings;
installMortalRuntime();
const connection = await NativeConnection.connect({ address: settings.address });
const store = openVerifiedStore(settings.databaseUrl, console.error);
const worker = await Worker.create({
  ...{ connection, namespace: 'default', taskQueue: DEFAULT_TASK_QUEUE },
  workflowBundle: { codePath: settings.bundle },
  shutdownGraceTime: 500,
  ...(settings.maxCached !== undefined && { maxCachedWorkflows: settings.maxCached }),
  plugins: [
    new ReevePlugin({
      resources: callsOutside(settings.outside),
      entities: verified,
      records: store.writer,
      callbacks: { url: settings.outside, keys: new CallbackKeys(settings.callbackKeys) },
      ...(settings.version && { version: settings.version }),
    }),
  ],
});
process.once('SIGTERM', () => worker.shutdown());
process.send?.('up');
await worker.run();
await connection.close();
await store.close();
process.disconnect();

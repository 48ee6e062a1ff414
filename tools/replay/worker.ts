import { NativeConnection } from '@temporalio/worker';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { callsOutside } from './outside.js';
import { openVerifiedStore } from './verified-store.js';
import type { WorkerSettings } from './worker-processes.js';

/* A worker that is ended in the middle of its work, gently by SIGTERM or by force. */
const settings = JSON.parse(process.argv[2]!) as WorkerSettings;
installMortalRuntime();
const connection = await NativeConnection.connect({ address: settings.address });
const store = openVerifiedStore(settings.databaseUrl, console.error);
const worker = await createWorker({
  connection,
  namespace: 'default',
  workflowBundle: { codePath: settings.bundle },
  resources: callsOutside(settings.outside),
  records: store.writer,
  callbacks: { url: settings.outside, keys: new CallbackKeys(settings.callbackKeys) },
  ...(settings.maxCached !== undefined && { maxCached: settings.maxCached }),
  ...(settings.version && { version: settings.version }),
  shutdownGraceMs: 500,
});
process.once('SIGTERM', () => worker.shutdown());
process.send?.('up');
await worker.run();
await connection.close();
await store.close();
process.disconnect();

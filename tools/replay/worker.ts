import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { needsNewWorker } from '../../src/temporal/core-defects.js';
import { createWorker } from '../../src/temporal/worker.js';
import { callsOutside } from './outside.js';
import { openVerifiedStore } from './verified-store.js';
import type { WorkerSettings } from './worker-processes.js';

/* A worker that is ended in the middle of its work, gently by SIGTERM or by force. */
const settings = JSON.parse(process.argv[2]!) as WorkerSettings;
Runtime.install({
  logger: new DefaultLogger('ERROR', ({ message, meta }) => {
    const { workflowId, error } = (meta ?? {}) as { readonly workflowId?: string; readonly error?: unknown };
    console.error([message, workflowId, error instanceof Error ? error.message : undefined].filter(Boolean).join(': '));
    if (needsNewWorker(message)) process.exit(1);
  }),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  shutdownSignals: ['SIGTERM'],
});
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
// The process that started it has died.
process.once('disconnect', () => process.exit(1));
process.send?.('up');
await worker.run();
await connection.close();
await store.close();
process.disconnect();

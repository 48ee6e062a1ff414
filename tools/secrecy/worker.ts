import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { ResourceError } from '../../src/protocol/errors.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { createWorker } from '../../src/temporal/worker.js';
import { bank } from './entities/definitions.js';
import { openSecretiveStore, payloadsOf, type Settings } from './settings.js';

/* A worker that is killed in the middle of its work. What it logs is scanned, so it logs all that a worker in production does. */
const settings = JSON.parse(process.argv[2]!) as Settings;
const print = (level: string, message: string, meta?: object) =>
  console.log(
    level,
    message,
    JSON.stringify(meta, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
  );
Runtime.install({
  logger: new DefaultLogger('INFO', ({ level, message, meta }) => print(level, message, meta)),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  shutdownSignals: ['SIGTERM'],
});
process.once('disconnect', () => process.exit(1));
const connection = await NativeConnection.connect({ address: settings.address });
const store = openSecretiveStore(settings);
const worker = await createWorker({
  ...{ connection, namespace: 'default', workflowBundle: { codePath: settings.bundle }, records: store.writer },
  resources: [
    implementResource(bank, {
      check: async ({ iban }) => ({ proof: iban.replace('parameter', 'output') }),
      look: async ({ iban }) => ({ proof: iban.replace('parameter', 'output') }),
      ask: async (_, { callback }) => void process.send?.({ token: callback.token }),
      refuse: ({ reason }) => Promise.reject(new ResourceError('refused', reason)),
    }),
  ],
  callbacks: { url: 'http://127.0.0.1/api', keys: new CallbackKeys(settings.callbackKeys) },
  payloads: payloadsOf(settings),
  lossesEvery: '50ms',
  shutdownGraceMs: 500,
});
process.send?.('up');
await worker.run();
await connection.close();
await store.close();
process.disconnect();

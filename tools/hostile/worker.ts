import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NativeConnection } from '@temporalio/worker';
import { ProviderProcess } from '../../src/temporal/providers/provider-process.js';
import { implementResource } from '../../src/temporal/resources.js';
import { createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { apart, outside } from './contract.js';
import { misbehave } from './misbehave.js';

/** The settings with which a worker of hostile entities is started. */
export interface HostileSettings {
  readonly address: string;
  /** The path of the bundle. */
  readonly bundle: string;
}

const settings = JSON.parse(process.argv[2]!) as HostileSettings;
installMortalRuntime();
const connection = await NativeConnection.connect({ address: settings.address });
const providers = new ProviderProcess({
  script: fileURLToPath(new URL('./providers.js', import.meta.url)),
  args: [],
  report: (message) => console.error(message),
});
const worker = await createWorker({
  ...{ connection, namespace: 'default', workflowBundle: { codePath: settings.bundle } },
  resources: [
    implementResource(outside, {
      well: async () => ({}),
      odd: ({ kind }) => misbehave(kind),
      inline: ({ kind }) => misbehave(kind),
      long: ({ ms }, { signal }) => delay(ms, {}, { signal }),
    }),
    ...providers.serve([implementResource(apart, { odd: ({ kind }) => misbehave(kind) })]),
  ],
  shutdownGraceMs: 500,
});
process.once('SIGTERM', () => worker.shutdown());
process.send?.('up');
await worker.run();
process.exit(0);

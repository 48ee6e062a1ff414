import { NativeConnection } from '@temporalio/worker';
import { implementResource } from '../../src/temporal/resources.js';
import { createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { outside } from './contract.js';

/** What a worker of hostile entities is started with. */
export interface HostileSettings {
  readonly address: string;
  /** The path of the bundle. */
  readonly bundle: string;
}

const MEGABYTE = 1_000_000;
const BLOCKS_FOR_MS = 20_000;

const settings = JSON.parse(process.argv[2]!) as HostileSettings;
installMortalRuntime();
const connection = await NativeConnection.connect({ address: settings.address });
const worker = await createWorker({
  ...{ connection, namespace: 'default', workflowBundle: { codePath: settings.bundle } },
  resources: [implementResource(outside, { well: async () => ({}), odd: ({ kind }) => misbehave(kind) })],
  shutdownGraceMs: 500,
});
process.once('SIGTERM', () => worker.shutdown());
process.send?.('up');
await worker.run();
process.exit(0);

async function misbehave(kind: string): Promise<{ readonly count: number }> {
  switch (kind) {
    case 'block':
      block();
      break;
    case 'never':
      await new Promise(() => undefined);
      break;
    case 'mb3':
      return { count: 1, more: 'x'.repeat(3 * MEGABYTE) } as { readonly count: number };
    case 'schema':
      return { count: 'one' } as never;
    case 'throwHuge':
      throw new Error('x'.repeat(5 * MEGABYTE));
    case 'throwString':
      throw 'a text';
    case 'dangling':
      void Promise.reject(new Error('nobody waits for this'));
      break;
    case 'later':
      setTimeout(() => {
        throw new Error('thrown when nobody listens');
      }, 10);
  }
  return { count: 1 };
}

function block(): void {
  const until = Date.now() + BLOCKS_FOR_MS;
  while (Date.now() < until);
}

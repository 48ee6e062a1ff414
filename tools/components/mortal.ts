import { NativeConnection } from '@temporalio/worker';
import { ResourceError } from '../../src/protocol/errors.js';
import { openStore } from '../../src/store/index.js';
import { implementResource } from '../../src/temporal/resources.js';
import { createCallWorker, createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { outside } from '../simulation/components/kinds.js';
import { steps } from './multi-host.js';
import type { ComponentProcess } from './settings.js';
import type { Answered, Asked } from './world.js';

/* The worker of a host, or one that runs trees, which is ended in the middle of its work. */
const { address, world, host = 'trees', bundle, databaseUrl } = JSON.parse(process.argv[2]!) as ComponentProcess;
/** How often the world is asked before a call fails. */
const MOST_TRIES = 5;
installMortalRuntime();
const common = {
  connection: await NativeConnection.connect({ address }),
  namespace: 'default',
  resources: [
    implementResource(steps, {
      do: async (input, { idempotencyKey: key }) => (await ask({ ...input, key, host })) as { host: string },
    }),
    implementResource(outside, { do: async ({ what }, { idempotencyKey: key }) => ask({ what, key, host }) }),
  ],
};
const worker = bundle
  ? await createWorker({
      ...common,
      workflowBundle: { codePath: bundle },
      records: openStore({ url: databaseUrl!, dimensions: [], warn: console.error }).writer,
    })
  : await createCallWorker({ ...common, serves: [{ taskQueue: host }] });
process.once('SIGTERM', () => worker.shutdown());
process.send?.('up');
await worker.run();

async function ask(asked: Asked): Promise<unknown> {
  const response = await post(JSON.stringify(asked));
  const answered = (await response.json()) as Answered;
  if ('code' in answered) throw new ResourceError(answered.code, 'It does not work, as it does at times.');
  return answered.output;
}

/** Asks again a few times: of a thousand that ask at once, some are not connected in time on a busy machine. */
async function post(body: string): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(world, { method: 'POST', body });
    } catch (thrown) {
      if (tries === MOST_TRIES) throw thrown;
    }
  }
}

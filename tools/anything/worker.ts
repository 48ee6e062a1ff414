import { readFile } from 'node:fs/promises';
import { NativeConnection } from '@temporalio/worker';
import { implementResource } from '../../src/temporal/resources.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { createWorker } from '../../src/temporal/worker.js';
import { installMortalRuntime } from '../mortal-runtime.js';
import { declareCalls, echoes } from '../simulation/anything/declare.js';
import type { WorldPlan } from '../simulation/anything/plan.js';
import { valueOf } from '../simulation/anything/value.js';
import type { Settings } from './trial.js';

/* The one worker of all drawn worlds. It must never end. */
const { address, bundle, plans, callbackKeys } = JSON.parse(process.argv[2]!) as Settings;
installMortalRuntime();
const worlds = JSON.parse(await readFile(plans, 'utf8')) as readonly WorldPlan[];
const connection = await NativeConnection.connect({ address });

type Asked = { readonly callback?: { readonly token: string } };
const answerAt = (token: string | undefined, output: unknown, afterMs: number) =>
  setTimeout(() => process.send?.({ token, output }), afterMs);

const outside = worlds.map((plan) => {
  const code = Object.entries(plan.calls).map(([name, { gives, throws, answer, afterMs, withdraw }]) => {
    const perform = (_: unknown, { callback }: Asked): Promise<unknown> => {
      // A provider may throw anything.
      if (throws !== undefined) throw valueOf(throws) as Error;
      if (answer !== 'callback') return Promise.resolve(valueOf(gives));
      if (afterMs !== undefined) answerAt(callback?.token, valueOf(gives), afterMs);
      return Promise.resolve();
    };
    return [name, withdraw ? { ask: perform, withdraw: () => Promise.resolve() } : perform];
  });
  return implementResource(declareCalls(plan), Object.fromEntries(code) as never);
});
const worker = await createWorker({
  ...{ connection, namespace: 'default', workflowBundle: { codePath: bundle } },
  resources: [
    implementResource(echoes, {
      say: ({ about }) => Promise.resolve({ said: about }),
      inline: ({ about }) => Promise.resolve({ said: about }),
      ask: async ({ about }, { callback }) => void answerAt(callback.token, { said: about }, 500),
      tell: () => Promise.resolve({}),
    }),
    ...outside,
  ],
  callbacks: { url: 'http://127.0.0.1/api', keys: new CallbackKeys(callbackKeys) },
  shutdownGraceMs: 500,
  forcedAfterMs: 60_000,
});
process.on('SIGTERM', () => worker.shutdown());
process.send?.({ up: true });
await worker.run();
await connection.close();
process.disconnect();

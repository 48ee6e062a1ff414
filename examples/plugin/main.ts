import { Client, Connection, type WorkflowFailedError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { registerSearchAttributes } from 'reeve/worker';
import { fileURLToPath } from 'node:url';
import { theatreWorker } from './worker.js';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233';
const connection = await Connection.connect({ address });
await registerSearchAttributes(connection, 'default'); // once for each namespace, as a step of your deployment

const workflowsPath = fileURLToPath(new URL('workflows.js', import.meta.url));
const worker = await theatreWorker({ workflowsPath }, { connection: await NativeConnection.connect({ address }) });
const client = new Client({ connection });
await worker.runUntil(async () => {
  const seat = `A${Date.now()}`;
  for (const customer of ['bob', 'ann', 'cleo']) {
    const options = { taskQueue: 'theatre', workflowId: `buy-${seat}-${customer}`, args: [customer, seat] };
    const failed = ({ cause }: WorkflowFailedError) => `${customer} has no seat: ${rootCause(cause)}`;
    console.log(await client.workflow.execute('buy', options).catch(failed));
  }
});
await connection.close();

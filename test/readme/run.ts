import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import {
  bundleWorkflows,
  connect,
  createWorker,
  implementResource,
  ReeveClient,
  registerSearchAttributes,
} from 'reeve';
import { fileURLToPath } from 'node:url';
import { hosting, Website } from './website.js';

export async function run(address: string): Promise<string> {
  const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const connection = await connect({ address });
  await registerSearchAttributes(connection, 'default');
  const worker = await createWorker({
    connection: await NativeConnection.connect({ address }),
    namespace: 'default',
    workflowBundle: await bundleWorkflows({ workflowsPath: path('workflows.js'), declarations: [path('website.js')] }),
    resources: [implementResource(hosting, { deploy: async ({ name }) => ({ url: `https://${name}.example` }) })],
  });
  const reeve = new ReeveClient({ client: new Client({ connection }), entities: [Website] });
  return worker.runUntil(async () => {
    const taken = await reeve.create(Website, 'blog', 'create');
    const { outcome } = await reeve.operations.result(taken);
    const { snapshot } = await reeve.read({ type: 'Website', key: 'blog' });
    return `${outcome}: ${snapshot.state} at ${String(snapshot.properties['url'])}`;
  });
}

import { Worker, type NativeConnection } from '@temporalio/worker';
import { ReevePlugin } from 'reeve/plugin';
import { implementResource } from 'reeve/worker';
import { fileURLToPath } from 'node:url';
import { hosting, Website } from './website.js';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const site = implementResource(hosting, { deploy: async ({ name }) => ({ url: `https://${name}.example` }) });

export async function ownWorker(connection: NativeConnection): Promise<Worker> {
  return Worker.create({
    connection,
    taskQueue: 'shop',
    workflowsPath: path('own-workflows.js'),
    activities: { announce: async (text: string) => text.toUpperCase() },
    plugins: [new ReevePlugin({ resources: [site], entities: [Website], declarations: [path('website.js')] })],
  });
}

import { Worker, type NativeConnection } from '@temporalio/worker';
import { ReevePlugin } from 'reeve/plugin';
import { fileURLToPath } from 'node:url';
import { Website } from './website.js';

/** The worker of the team that has the websites. It serves their events as operations of the Nexus service `Website`. */
export async function servingWorker(connection: NativeConnection, namespace: string): Promise<Worker> {
  return Worker.create({
    ...{ connection, namespace, taskQueue: 'websites' },
    workflowsPath: fileURLToPath(new URL('serving-workflows.ts', import.meta.url)),
    plugins: [new ReevePlugin({ resources: [], nexus: [Website] })],
  });
}

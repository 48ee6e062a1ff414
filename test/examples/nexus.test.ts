import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servingWorker } from '../../examples/nexus/serving.js';
import { Website } from '../../examples/nexus/website.js';
import { ReeveClient } from '../../src/client/client.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { sharedTemporalService } from '../support/temporal-service.js';

type Environment = Awaited<ReturnType<typeof sharedTemporalService>>;
let serving: Environment;
let calling: Environment;
let callers: Client;
let endpoint: string;
let workers: readonly Worker[] = [];
let running: Promise<unknown>;

beforeAll(async () => {
  [serving, calling] = await Promise.all([sharedTemporalService(), sharedTemporalService()]);
  callers = calling.client;
  const { namespace } = serving.client.options;
  await registerSearchAttributes(serving.connection, namespace);
  endpoint = `websites-of-${namespace}`;
  const spec = { name: endpoint, target: { worker: { namespace, taskQueue: 'websites' } } };
  await serving.connection.operatorService.createNexusEndpoint({ spec });
  workers = await Promise.all([
    servingWorker(serving.nativeConnection, namespace),
    Worker.create({
      ...{ connection: calling.nativeConnection, namespace: callers.options.namespace, taskQueue: 'launches' },
      workflowsPath: fileURLToPath(new URL('../../examples/nexus/calling-workflows.ts', import.meta.url)),
    }),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await Promise.all([serving, calling].map((environment) => environment.teardown()));
});

const launch = (workflowId: string, ...args: readonly string[]): Promise<unknown> =>
  callers.workflow.execute('launch', { workflowId, taskQueue: 'launches', args: [endpoint, ...args] });

describe('examples/nexus', () => {
  it('raises events on entities of another namespace, and waits for their outcome', async () => {
    expect(await launch('first', 'blog', 'Notes')).toBe('success');
    const reeve = new ReeveClient({ client: serving.client, entities: [Website], taskQueue: 'websites' });
    const { snapshot } = await reeve.read({ type: 'Website', key: 'blog' });
    expect(snapshot).toMatchObject({ state: 'Live', properties: { title: 'Notes' } });
  });

  it('is shown as it is in docs/guides/nexus.md', async () => {
    const file = 'calling-workflows.ts';
    const code = await readFile(new URL(`../../examples/nexus/${file}`, import.meta.url), 'utf8');
    const page = await readFile(new URL('../../docs/guides/nexus.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`ts\n// ${file}\n${code}\`\`\``);
  });

  it('fails with the reason where an event is not accepted', async () => {
    const causes: unknown[] = [await launch('second', 'blog', 'Again').catch((thrown: unknown) => thrown)];
    for (let last = causes.at(-1); last instanceof Error && last.cause; last = last.cause) causes.push(last.cause);
    expect(causes.at(-1)).toMatchObject({ type: 'Rejected', details: [{ code: 'not_valid', entity: 'Website/blog' }] });
  });
});

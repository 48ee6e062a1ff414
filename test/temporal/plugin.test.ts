import type { Client } from '@temporalio/client';
import { Worker, type NativeConnection, type WorkerOptions, type WorkerPlugin } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { ReevePlugin, type ReevePluginOptions } from '../../src/exports/plugin.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { UNENCRYPTED } from '../../src/secrecy/payload-settings.js';
import { Box, Room } from '../entities/box.js';
import { Shelf } from '../support/shelf.js';
import { sharedTemporalService } from '../support/temporal-service.js';
import { until } from '../support/until.js';

const path = (name: string) => fileURLToPath(new URL(`../entities/${name}.ts`, import.meta.url));
const workflowsPath = path('beside-workflows');
const declarations = [path('box')];

type Environment = Awaited<ReturnType<typeof sharedTemporalService>>;
let environment: Environment;
let client: Client;
let reeve: ReeveClient;
let worker: Worker;
let running: Promise<void>;
/** The activities that the other plugin has seen. */
const seen: string[] = [];

/** A plugin as others write them: it looks at activities. */
const looking: WorkerPlugin = {
  name: 'looking',
  configureWorker: ({ interceptors, ...options }) => ({
    ...options,
    interceptors: {
      ...interceptors,
      activity: [
        ...(interceptors?.activity ?? []),
        ({ info }) => ({
          inbound: {
            execute: async (input, next) => {
              seen.push(info.activityType);
              return next(input);
            },
          },
        }),
      ],
    },
  }),
};

beforeAll(async () => {
  environment = await sharedTemporalService();
  ({ client } = environment);
  const { namespace } = client.options;
  await registerSearchAttributes(environment.connection, namespace);
  worker = await Worker.create({
    ...{ connection: environment.nativeConnection, namespace, taskQueue: 'reeve', workflowsPath },
    activities: { shout: async (text: string) => text.toUpperCase() },
    plugins: [looking, new ReevePlugin({ resources: [new Shelf().resource], declarations, affinity: true })],
  });
  running = worker.run();
  reeve = new ReeveClient({ client, entities: [Box, Room] });
});
afterAll(async () => {
  if (worker?.getState() === 'RUNNING') worker.shutdown();
  await running;
  await environment.teardown();
});

describe("one of Temporal's workers with the plugin", () => {
  it('runs entities, and beside them workflows and activities of its own', async () => {
    const greeting = client.workflow.execute('greet', { workflowId: 'greeting', taskQueue: 'reeve', args: ['world'] });
    const taken = await reeve.create(Box, 'b', 'place', { label: 'first' });
    expect((await reeve.operations.result(taken)).outcome).toBe('success');
    expect((await reeve.read({ type: 'Box', key: 'b' })).snapshot.properties).toMatchObject({ label: 'first' });
    expect(await greeting).toBe('HELLO WORLD');
  });

  it('is one beside other plugins, whose interceptors see its activities', () => {
    expect(seen).toContain('shout');
    expect(seen).toContainEqual(expect.stringMatching(/^shelf\./));
  });

  it('leaves the histories of its own workflows as they are without the plugin, so that older ones go on', async () => {
    const workflowId = 'collection';
    const handle = await client.workflow.start('collect', { workflowId, taskQueue: 'reeve' });
    for (const [index, text] of ['one', 'two'].entries()) {
      await handle.signal('add', text);
      // In a task of its own.
      await until(async () => expect(await handle.query<readonly string[]>('collected')).toHaveLength(index + 1));
    }
    await handle.signal('add', 'three');
    expect(await handle.result()).toBe('one two three');
    const events = (await handle.fetchHistory()).events!;
    expect(events.filter(({ timerStartedEventAttributes: timer }) => timer)).toEqual([]);
  });

  it('replays the histories of both (S4.1a)', async () => {
    const { workflowBundle } = worker.options;
    const histories = client.workflow.list().intoHistories();
    const replay = { workflowBundle: workflowBundle!, plugins: [new ReevePlugin({ resources: [] })] };
    const replayed: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories(replay, histories)) {
      expect(error, workflowId).toBeUndefined();
      replayed.push(workflowId);
    }
    expect(replayed).toEqual(expect.arrayContaining(['greeting', 'Box/b']));
  });

  it('ends with all that belongs to it', async () => {
    worker.shutdown();
    await running;
    expect(worker.getState()).toBe('STOPPED');
  });
});

describe('options that cannot be combined are refused, with what to do instead (plugin.1)', () => {
  const make = async (options: object, plugin: Partial<ReevePluginOptions> = {}, ...after: WorkerPlugin[]) => {
    const reevePlugin = new ReevePlugin({ resources: [], ...plugin });
    const given: object = { taskQueue: 'reeve', workflowsPath, plugins: [reevePlugin, ...after], ...options };
    return reevePlugin.configureWorker(given as WorkerOptions);
  };
  const connection = {} as NativeConnection;
  const cases: readonly [what: string, () => Promise<unknown>, message: RegExp][] = [
    ['no connection', () => make({}), /needs a connection.* Pass `connection/],
    [
      'no workflow code',
      () => make({ connection, workflowsPath: undefined }),
      /needs workflow code\. Pass `workflowsPath`/,
    ],
    ['options of the bundler', () => make({ connection, bundlerOptions: {} }), /Make the bundle beforehand/],
    [
      'a plugin that comes after the bundle was made',
      () => make({ connection }, {}, looking),
      /'looking' comes after .* Put the ReevePlugin last/,
    ],
    [
      'two data converters',
      () => make({ connection, dataConverter: {} }, { payloads: UNENCRYPTED }),
      /Leave one of them out/,
    ],
    [
      'two versions',
      () =>
        make(
          { connection, workerDeploymentOptions: {}, workflowBundle: { code: '' } },
          { version: { deployment: 'shop', build: '1' } },
        ),
      /one version\. Leave `workerDeploymentOptions` out/,
    ],
    [
      "an activity of Reeve's",
      () => make({ connection, workflowBundle: { code: '' }, activities: { 'reeve.keep': () => undefined } }),
      /The activities reeve\.keep are Reeve's own/,
    ],
    [
      "a sink of Reeve's",
      () => make({ connection, workflowBundle: { code: '' }, sinks: { reeve: {} } }),
      /The sinks reeve are Reeve's own/,
    ],
    [
      "a bundle of the SDK's own",
      () => make({ connection, workflowBundle: { code: '' } }),
      /lacks what entities need\. Make it by bundleWorkflows/,
    ],
  ];
  it.each(cases)('%s', async (_, refused, message) => {
    await expect(refused()).rejects.toThrow(message);
    await expect(refused()).rejects.toBeInstanceOf(TypeError);
  });

  it('a second worker of the same plugin', async () => {
    const { nativeConnection } = environment;
    const { namespace } = client.options;
    const plugin = new ReevePlugin({ resources: [] });
    const workflowBundle = worker.options.workflowBundle!;
    const options = { connection: nativeConnection, namespace, taskQueue: 'reeve', workflowBundle };
    await plugin.configureWorker(options);
    await expect(plugin.configureWorker(options)).rejects.toThrow('Make one for each worker');
  });
});

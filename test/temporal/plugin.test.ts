import type { Client } from '@temporalio/client';
import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import proto from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Worker, type NativeConnection, type WorkerOptions, type WorkerPlugin } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { ReevePlugin, type ReevePluginOptions } from '../../src/exports/plugin.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { UNENCRYPTED, type PayloadSettings } from '../../src/secrecy/payload-settings.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { callWorkflow } from '../../src/temporal/call-workflow.js';
import { implementResource, type CallContext } from '../../src/temporal/resources.js';
import type { putAway } from '../entities/beside-workflows.js';
import { Box, Room, shelf as shelfContract } from '../entities/box.js';
import { keyFile } from '../secrecy/key-file.js';
import { sharedBundle } from '../support/shared-bundle.js';
import { Shelf } from '../support/shelf.js';
import { sharedTemporalService } from '../support/temporal-service.js';
import { until } from '../support/until.js';

const { PENDING_ACTIVITY_STATE_STARTED } = proto.temporal.api.enums.v1.PendingActivityState;
const path = (name: string) => fileURLToPath(new URL(`../entities/${name}.ts`, import.meta.url));
const workflowsPath = path('beside-workflows');
const declarations = [path('box')];
/** The same code, as other files have it. */
const beside = { workflows: 'entities/beside-workflows.ts', declarations: ['entities/box.ts'] };

type Environment = Awaited<ReturnType<typeof sharedTemporalService>>;
let environment: Environment;
let client: Client;
let reeve: ReeveClient;
let worker: Worker;
let running: Promise<void>;
const shelf = new Shelf();
/** The activities that the other plugin has seen. */
const seen: string[] = [];

/** The spans that OpenTelemetry was given. */
const spans: string[] = [];
const tracing = new OpenTelemetryPlugin({
  resource: { attributes: {} } as never,
  spanProcessor: {
    onStart: () => undefined,
    onEnd: ({ name }) => void spans.push(name),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  },
});

/** A plugin as others write them: it looks at activities. The first answer to each event of a workflow is lost. */
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
              const made: unknown = await next(input);
              if (info.activityType === 'reeve.raise' && info.attempt === 1) throw new Error('the worker was lost');
              return made;
            },
          },
        }),
      ],
    },
  }),
};

const makeWorker = (code: Pick<WorkerOptions, 'workflowsPath' | 'workflowBundle'>) =>
  Worker.create({
    ...{ connection: environment.nativeConnection, namespace: client.options.namespace, taskQueue: 'reeve', ...code },
    activities: { shout: async (text: string) => text.toUpperCase() },
    shutdownGraceTime: '1s',
    plugins: [
      looking,
      tracing,
      new ReevePlugin({ resources: [shelf.resource], declarations, entities: [Box, Room], affinity: true }),
    ],
  });

beforeAll(async () => {
  environment = await sharedTemporalService();
  ({ client } = environment);
  const { namespace } = client.options;
  await registerSearchAttributes(environment.connection, namespace);
  worker = await makeWorker({ workflowsPath });
  running = worker.run();
  reeve = new ReeveClient({ client, entities: [Box, Room] });
});
afterAll(async () => {
  if (worker?.getState() === 'RUNNING') worker.shutdown();
  await running;
  await environment.teardown();
});

const execute = (type: string, key: string): Promise<unknown> =>
  client.workflow.execute(type, { workflowId: `${type} ${key}`, taskQueue: 'reeve', args: [key] });

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
    expect(spans).toEqual(
      expect.arrayContaining(['StartActivity:shout', 'RunWorkflow:greet', 'StartActivity:shelf.put']),
    );
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

  it('lets them create entities, raise events, wait for outcomes and states, and read: each event once', async () => {
    const stocked = await execute('stock', 'stocked');
    expect(stocked).toMatchObject({
      ...{ placed: 'success', relabelled: 'success' },
      before: { state: 'Placed', health: 'normal', settled: true, gone: false, properties: { label: 'first' } },
      after: { state: 'Placed', properties: { label: 'second', place: 7 } },
    });
    expect(stocked).not.toHaveProperty('nobody.state');
    expect(shelf.keys.get('stocked')).toHaveLength(1);
    const { version } = (await reeve.read({ type: 'Box', key: 'stocked' })).snapshot;
    expect(version).toBe((stocked as { after: { version: number } }).after.version);
  });

  it('tells them why an event is not accepted, and fails those that do not catch it', async () => {
    const codes = ['absent', 'invalid_key', 'invalid_parameters', 'invalid_parameters'];
    expect(await execute('refusals', 'refused')).toEqual(codes);
    await expect(execute('careless', 'nowhere')).rejects.toMatchObject({
      cause: { type: 'Rejected', message: expect.stringContaining('Box/nowhere does not exist') as unknown },
    });
  });

  it('lets them wait for an entity that comes later, and tells that one was deleted', async () => {
    const waiting = execute('expectRoom', 'later');
    const inVain = execute('expectBox', 'removed');
    await reeve.operations.result(await reeve.create(Box, 'removed', 'place', { label: 'first' }));
    await reeve.perform(Box, 'removed', 'remove');
    await reeve.create(Room, 'later', 'furnish', { boxes: ['one'] });
    expect(await waiting).toBe('Ready');
    expect(await inVain).toBe('gone');
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

  it('ends with all that belongs to it, and leaves those who wait to the next worker', async () => {
    const room = execute('expectRoom', 'next');
    shelf.hung.add('slow');
    const box = execute('stock', 'slow');
    const activities = async (workflowId: string) =>
      (await client.workflow.getHandle(workflowId).describe()).raw.pendingActivities ?? [];
    const pending = async (workflowId: string) =>
      (await activities(workflowId)).map(({ activityType, lastFailure }) => [activityType?.name, lastFailure?.message]);
    await until(async () => expect(shelf.keys.get('slow')).toHaveLength(1));
    // An attempt that no worker has taken yet has nothing to say when the worker ends.
    const begun = async (workflowId: string, name: string) =>
      expect(await activities(workflowId)).toMatchObject([
        { activityType: { name }, state: PENDING_ACTIVITY_STATE_STARTED },
      ]);
    await until(() => begun('expectRoom next', 'reeve.reach'));
    await until(() => begun('stock slow', 'reeve.result'));
    worker.shutdown();
    await running;
    expect(worker.getState()).toBe('STOPPED');
    expect(await pending('expectRoom next')).toEqual([['reeve.reach', 'Room/next is absent.']]);
    const message = expect.stringMatching(/^The operation \S+ has not ended yet\.$/) as unknown;
    expect(await pending('stock slow')).toEqual([['reeve.result', message]]);

    shelf.hung.clear();
    worker = await makeWorker({ workflowBundle: worker.options.workflowBundle! });
    running = worker.run();
    await reeve.create(Room, 'next', 'furnish', { boxes: ['two'] });
    expect(await room).toBe('Ready');
    expect(await box).toMatchObject({ placed: 'success', relabelled: 'success' });
  });
});

describe('a call that runs a workflow of its own', () => {
  const makeCall = () => callWorkflow<typeof putAway>('putAway', { client, taskQueue: 'calls' });
  /** How often `putAway` finds no room yet. */
  const full = new Map([['full', 2]]);
  let calls: Worker;
  let run: Promise<void>;

  beforeAll(async () => {
    const put = makeCall();
    const resources = [implementResource(shelfContract, { put, look: async () => ({ place: 0 }) })];
    calls = await Worker.create({
      ...{
        connection: environment.nativeConnection,
        namespace: client.options.namespace,
        taskQueue: 'calls',
        workflowBundle: await sharedBundle(beside),
      },
      activities: {
        shout: async (text: string) => text.toUpperCase(),
        fits: async (name: string) => {
          const left = full.get(name) ?? 0;
          full.set(name, left - 1);
          return left <= 0;
        },
      },
      plugins: [new ReevePlugin({ resources, entities: [Box] })],
    });
    run = calls.run();
  });
  afterAll(async () => {
    calls.shutdown();
    await run;
  });

  it('takes its result, and its failure under the code that it gives; another attempt runs it again', async () => {
    const boxes = new ReeveClient({ client, entities: [Box, Room], taskQueue: 'calls' });
    const taken = await boxes.create(Box, 'full', 'place', { label: 'first' });
    const { outcome, errors } = await boxes.operations.result(taken);
    expect(outcome).toBe('success');
    expect(errors).toEqual([]);
    const { snapshot } = await boxes.read({ type: 'Box', key: 'full' });
    expect(snapshot).toMatchObject({ state: 'Placed', properties: { place: 4 } });
    const runs = [];
    for await (const each of client.workflow.list({ query: `WorkflowType = 'putAway'` })) runs.push(each);
    expect(runs.map(({ status }) => status.name).sort()).toEqual(['COMPLETED', 'FAILED', 'FAILED']);
    expect(new Set(runs.map(({ workflowId }) => workflowId)).size).toBe(1);
  });

  it('is joined by another execution of the same call, and canceled where nobody waits for it any more', async () => {
    const context = { idempotencyKey: 'k', attempt: 1 } as unknown as CallContext;
    const start = (name: string) => {
      const activity = new MockActivityEnvironment();
      const { cancellationSignal: signal } = activity.context;
      return { activity, end: activity.run(async () => makeCall()({ name }, { ...context, signal })) };
    };
    const first = start('stuck');
    const second = start('stuck');
    const handle = client.workflow.getHandle('putAway/k');
    await until(async () => expect((await handle.describe()).status.name).toBe('RUNNING'));
    second.activity.cancel();
    await expect(second.end).rejects.toThrow();
    await expect(first.end).rejects.toMatchObject({ code: 'workflow_failed' });
    expect((await handle.describe()).status.name).toBe('CANCELLED');
  });
});

const payloads = { keys: await keyFile() };

it('reads and writes encrypted payloads, and replays their histories with the keys alone (Q5)', async () => {
  const { namespace } = client.options;
  const taskQueue = 'encrypted';
  const plugin = new ReevePlugin({ resources: [new Shelf().resource], entities: [Box, Room], payloads });
  const secret = await Worker.create({
    ...{ connection: environment.nativeConnection, namespace, taskQueue, plugins: [plugin] },
    workflowBundle: await sharedBundle(beside),
    shutdownGraceTime: '1s',
  });
  const own = temporalClient({ connection: environment.connection, namespace, payloads });
  const stock = { workflowId: 'encrypted stock', taskQueue, args: ['encrypted'] };
  const stocked = await secret.runUntil(own.workflow.execute('stock', stock));
  expect(stocked).toMatchObject({ placed: 'success', relabelled: 'success' });

  const { workflowBundle } = secret.options;
  const replay = async (settings?: PayloadSettings) => {
    const problems: string[] = [];
    for (const workflowId of ['Box/encrypted', 'encrypted stock']) {
      const history = await own.workflow.getHandle(workflowId).fetchHistory();
      const plugins = [new ReevePlugin({ resources: [], namespace, ...(settings && { payloads: settings }) })];
      await Worker.runReplayHistory({ workflowBundle: workflowBundle!, plugins }, history, workflowId).catch(
        (thrown: Error) => void problems.push(thrown.message),
      );
    }
    return problems;
  };
  expect(await replay(payloads)).toEqual([]);
  expect(await replay()).toHaveLength(2);
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

/*
 * The process of a worker that is measured. Its parent gives it the setting, asks it for measures, and stops it.
 */
import { makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { destination, pino } from 'pino';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { payloadSettingsFrom } from '../../src/secrecy/payload-settings.js';
import { implementResource } from '../../src/temporal/resources.js';
import { EntityWorker } from '../../src/temporal/entity-worker.js';
import { createWorker } from '../../src/temporal/worker.js';
import { openStore } from '../../src/store/index.js';
import { temporalLogger } from '../../src/telemetry/temporal-logger.js';
import { gauge } from './entities/gauge.js';
import { Inspection } from './inspection.js';
import { rawActivities } from './raw/activities.js';
import { REPAIR_MS } from './side.js';
import type { WorkerAnswer, WorkerRequest, WorkerSetting } from './worker-messages.js';

const setting = JSON.parse(process.argv[2] ?? '{}') as WorkerSetting;
const tell = (said: WorkerAnswer) => void process.send?.(said);
const resource = implementResource(gauge, {
  inspect: async (_, { callback }) => tell({ said: 'asked', token: callback.token }),
  lend: async ({ back }, { addressOf }) => {
    tell({ said: 'asked', token: addressOf(back).token });
    return {};
  },
  probe: ({ valve }) => Promise.resolve({ value: valve.length }),
  overhaul: ({ valve }) => Promise.resolve({ value: valve.length }),
  repair: ({ valve }) => delay(REPAIR_MS, { value: valve.length }),
});

// Warnings are left out: workflows are terminated after the measurement, and the SDK would warn that they are gone.
const filter = makeTelemetryFilterString({ core: 'ERROR' });
const logger = temporalLogger(pino({ level: 'error' }, destination(2)), 'ERROR');
Runtime.install({ logger, telemetryOptions: { logging: { filter, forward: {} } } });
// The parent has died.
process.once('disconnect', () => process.exit(1));
await run(setting);
process.exit(0);

async function run({ side, address, namespace, taskQueue, bundle, databaseUrl, ...setting }: WorkerSetting) {
  const { maxCached, callbackKey, payloadKeys } = setting;
  const payloads = payloadSettingsFrom({}, payloadKeys);
  // Nobody asks at this address: answers are given by whoever measures.
  const callbacks = { url: 'http://127.0.0.1/api', keys: new CallbackKeys(callbackKey) };
  const connection = await NativeConnection.connect({ address });
  const store = openStore({ url: databaseUrl, dimensions: [], warn: console.error });
  const common = { connection, namespace, taskQueue, workflowBundle: { codePath: bundle } };
  const cache = maxCached === undefined ? {} : { reeve: { maxCached }, raw: { maxCachedWorkflows: maxCached } };
  const worker =
    side === 'reeve'
      ? await createWorker({
          ...common,
          ...cache.reeve,
          resources: [resource],
          records: store.writer,
          callbacks,
          payloads,
        })
      : await Worker.create({ ...common, ...cache.raw, activities: rawActivities });
  const running = worker.run();
  const inspection = new Inspection();
  process.on('message', (request: WorkerRequest) => {
    if (request.ask === 'stop') worker.shutdown();
    else void answer(request, inspection, worker).then(tell);
  });
  tell({ said: 'ready' });
  await running;
  await store.close();
  await connection.close();
}

async function answer(
  { ask }: WorkerRequest,
  inspection: Inspection,
  worker: Worker | EntityWorker,
): Promise<WorkerAnswer> {
  switch (ask) {
    case 'cpu': {
      const { user, system } = process.cpuUsage();
      return { said: 'cpu', milliseconds: (user + system) / 1_000 };
    }
    case 'memory': {
      const heapBytes = await inspection.collectGarbage();
      return { said: 'memory', heapBytes, residentBytes: process.memoryUsage.rss() };
    }
    case 'held': {
      const { calls, tasks } = (
        worker instanceof EntityWorker ? worker : new EntityWorker([worker], async () => worker.run())
      ).underWay;
      const threads = (await readdir('/proc/self/task')).length;
      const sockets = process.getActiveResourcesInfo().filter((each) => each.startsWith('TCP')).length;
      return { said: 'held', calls, tasks, threads, sockets };
    }
    case 'profile':
      await inspection.startProfile();
      return { said: 'profiling' };
    case 'end-profile':
      return { said: 'profile', threads: await inspection.endProfile() };
    default:
      throw new Error(`The request '${ask}' is unknown.`);
  }
}

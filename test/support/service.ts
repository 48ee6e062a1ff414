import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { ReeveClient } from '../../src/client/client.js';
import type { AnyComponent } from '../../src/components/index.js';
import { schemasOf } from '../../src/temporal/build-schemas.js';
import type { Duration } from '../../src/definition/duration.js';
import type { AnyEntity } from '../../src/definition/entity.js';
import { codecArguments, REPORTING, TUNED } from '../../src/stack/temporal-server.js';
import type { CallbackSettings } from '../../src/temporal/callback-address.js';
import type { CallObserver } from '../../src/temporal/call-observer.js';
import type { ServedOperations } from '../../src/temporal/distributed/activities.js';
import type { RecordKeeper } from '../../src/temporal/record-keeper.js';
import type { ImplementedResource } from '../../src/temporal/resources.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import type { PayloadSettings } from '../../src/secrecy/payload-settings.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { createWorker } from '../../src/temporal/worker.js';
import { patientClient } from './patient-client.js';
import { sharedBundle } from './shared-bundle.js';
import { sharedTemporalService, startTemporalService } from './temporal-service.js';

export interface TestService {
  readonly environment: TestWorkflowEnvironment;
  readonly namespace: string;
  /** Reads and writes payloads as the worker does, and is patient while the first worker is up. */
  readonly client: Client;
  readonly reeve: ReeveClient;
  readonly workflowBundle: WorkflowBundleWithSourceMap;
  /** Stops the worker, so that nobody answers. */
  stopWorker(): Promise<void>;
  /** Starts a worker again that was stopped. */
  startWorker(): Promise<void>;
  /** Stops the worker, and starts another one with other workflows, and other resources. Gives their bundle. */
  replaceWorker(workflows: string, resources?: readonly ImplementedResource[]): Promise<WorkflowBundleWithSourceMap>;
  /** Starts a worker beside the others that says which build it runs. Stops it when the function is called that it gives. */
  addBuild(workflows: string, build: string, entities?: readonly AnyEntity[]): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A real Temporal service with a worker for the given entities. Paths are relative to `test/`. */
export async function startTestService(options: {
  readonly workflows: string;
  readonly declarations: readonly string[];
  readonly entities: readonly AnyEntity[];
  readonly components?: readonly AnyComponent[];
  readonly resources: readonly ImplementedResource[];
  readonly records?: RecordKeeper;
  readonly calls?: CallObserver;
  readonly callbacks?: CallbackSettings;
  readonly taskQueue?: string;
  readonly affinity?: boolean;
  readonly distributed?: ServedOperations;
  readonly payloads?: PayloadSettings;
  /** How often the keeper asks for losses by itself. */
  readonly lossesEvery?: Duration;
  /** The build that the worker says it runs. */
  readonly build?: string;
  /** True where nobody else uses the service: it ends with the test, and its namespace is `default`, as other programs expect. */
  readonly alone?: boolean;
  /** Temporal's UI: its port, and the address of the codec server that it asks. */
  readonly ui?: { readonly port: number; readonly codec: string };
}): Promise<TestService> {
  const taskQueue = options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue };
  const { ui } = options;
  const environment =
    ui || options.alone
      ? await startTemporalService([...REPORTING, ...TUNED, ...codecArguments(ui?.codec)], ui?.port)
      : await sharedTemporalService();
  const { namespace } = environment.client.options;
  await registerSearchAttributes(environment.connection, namespace);
  const bundle = (workflows: string) => sharedBundle({ workflows, declarations: options.declarations });
  const start = async (
    workflowBundle: WorkflowBundleWithSourceMap,
    resources = options.resources,
    build = options.build,
    entities = options.entities,
  ) => {
    const worker = await createWorker({
      connection: environment.nativeConnection,
      namespace,
      workflowBundle,
      resources,
      ...(options.records && { records: options.records }),
      ...(options.calls && { calls: options.calls }),
      ...(options.callbacks && { callbacks: options.callbacks }),
      ...(options.distributed && { distributed: options.distributed }),
      ...(options.payloads && { payloads: options.payloads }),
      ...(options.lossesEvery && { lossesEvery: options.lossesEvery }),
      ...taskQueue,
      ...(build !== undefined && { version: { deployment: 'reeve', build, schemas: schemasOf(entities) } }),
      ...(options.affinity !== undefined && { affinity: options.affinity }),
      shutdownGraceMs: 1_000,
    });
    const running = worker.run();
    return async () => {
      worker.shutdown();
      await running;
    };
  };
  const workflowBundle = await bundle(options.workflows);
  let stop: (() => Promise<void>) | undefined = await start(workflowBundle);
  /** One that could not be stopped is not stopped again. */
  const stopOnce = async () => {
    const stopping = stop;
    stop = undefined;
    await stopping?.();
  };
  const { payloads } = options;
  const builds = new Set<() => Promise<void>>();
  /** The code of a worker that took the place of another one may fail, and then nobody answers. */
  let replaced = false;
  const client = patientClient(
    payloads ? temporalClient({ connection: environment.connection, namespace, payloads }) : environment.client,
    () => (stop !== undefined && !replaced) || builds.size > 0,
  );
  return {
    environment,
    namespace,
    client,
    reeve: new ReeveClient({
      ...{ client, entities: options.entities, ...taskQueue },
      ...(options.components && { components: options.components }),
      ...(options.distributed && { distributed: options.distributed.operations.map(({ operation }) => operation) }),
    }),
    workflowBundle,
    async startWorker() {
      stop = await start(workflowBundle);
    },
    async replaceWorker(workflows, resources) {
      const other = await bundle(workflows);
      await stopOnce();
      replaced = true;
      stop = await start(other, resources);
      return other;
    },
    async addBuild(workflows, build, entities) {
      const stopBuild = await start(await bundle(workflows), options.resources, build, entities);
      builds.add(stopBuild);
      return async () => {
        builds.delete(stopBuild);
        await stopBuild();
      };
    },
    stopWorker: stopOnce,
    async close() {
      await Promise.all([stopOnce, ...builds].map((each) => each()));
      await environment.teardown();
    },
  };
}

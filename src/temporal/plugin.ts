/*
 * Reeve as a plugin of Temporal's SDK (1.24, where plugins are experimental): all that a worker needs to run entities, beside workflows
 * and activities of its own.
 *
 * plugin.1. Nothing of the worker's own options is overwritten without a word. What cannot be combined is refused, with a remedy.
 */
import type { ConnectionLike } from '@temporalio/client';
import { Client } from '@temporalio/client';
import { msToNumber } from '@temporalio/common/lib/time.js';
import type { ReplayWorkerOptions, Worker, WorkerOptions, WorkerPlugin } from '@temporalio/worker';
import type { Duration } from '../definition/duration.js';
import { clientConverter, workerConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import { bundleForWorker, bundleWorkflows } from './bundle.js';
import { CallServing, endsOf, type Calls } from './call-workers.js';
import { distributedActivities, type ServedOperations } from './distributed/activities.js';
import { startKeeper } from './keeper/start.js';
import { noteSchemasWhenKnown } from './note-schemas.js';
import { NO_STORE, ownActivities, recordSinks } from './own-activities.js';
import type { RecordKeeper } from './record-keeper.js';
import { runTogether, type BesideWork } from './run-together.js';
import { runToEnd } from './unfinished-work.js';
import { watchWorkflows } from './watch/watch-workflows.js';
import { askTransitions, Witness } from './witness.js';
import { deploymentOptions, type WorkerVersion } from './worker-version.js';

/** The settings of a worker that runs entities. */
export interface EntityPluginOptions extends Calls {
  /**
   * The absolute paths of modules that hold declarations, where the worker bundles its workflow code itself (`workflowsPath`). They are
   * loaded once for the worker and not once for each entity. `bundleWorkflows` takes them for a bundle that is made beforehand.
   */
  readonly declarations?: readonly string[];
  /** The store for the records. Without one, they are dropped. */
  readonly records?: RecordKeeper;
  /** Sets how payloads are encrypted; clients of these entities need the same. Without it they are not. Q5 */
  readonly payloads?: PayloadSettings;
  /** The namespace of the histories that are replayed, where their payloads are encrypted. A worker has its own. Default `default`. */
  readonly namespace?: string;
  /** The operations over partitions that it serves, as `distributed` of the bundle declares them. Their jobs are done by executors. I8 */
  readonly distributed?: ServedOperations;
  /**
   * The version of its workflow code. With one, Temporal's Worker Versioning leads each run to workers of its own build, and
   * somebody has to say which build new runs get (`reeve rollout`). Without one, every worker takes every run. Q2
   */
  readonly version?: WorkerVersion;
  /** Sets how often the keeper asks which entities were ended by hand, as by `temporal workflow terminate`. Default 5 s. S4.4 */
  readonly lossesEvery?: Duration;
}

/**
 * After this time without an answer, in milliseconds, the entities of a worker are given to any other worker: it has died, or
 * has too much to do. An entity's history is short, so another worker takes it over at little cost.
 */
const LOST_WORKER_MS = 5_000;
/** How long the workflow code may take to load, in milliseconds. The SDK's own 5 s are short on a busy machine, or for a cold start. */
const LOADS_WITHIN_MS = 20_000;

/** Lets one of Temporal's workers run entities, operations and resource calls. `ReevePlugin` adds what workflows of its own need. */
export class EntityPlugin implements WorkerPlugin {
  readonly name = 'reeve';
  readonly #options: EntityPluginOptions;
  readonly #serving: CallServing;
  readonly #besides: BesideWork[] = [];
  /** The workers of task queues that have calls alone; none before the worker is made. */
  #callWorkers: readonly Worker[] | undefined;

  constructor(options: EntityPluginOptions) {
    this.#options = options;
    this.#serving = new CallServing(options);
  }

  /** Temporal's workers that run beside the one of the plugin. */
  get callWorkers(): readonly Worker[] {
    return this.#callWorkers ?? [];
  }

  /** @throws TypeError where the options cannot be combined; MissingKey where keys are missing; the error of Temporal */
  async configureWorker(given: WorkerOptions): Promise<WorkerOptions> {
    if (this.#callWorkers) throw new TypeError('This ReevePlugin has a worker already. Make one for each worker.');
    const { connection, namespace = 'default', taskQueue } = given;
    if (!connection) {
      const remedy = 'Pass `connection: await NativeConnection.connect({ ... })`';
      throw new TypeError(`A worker with a ReevePlugin needs a connection, by which it starts the keeper. ${remedy}.`);
    }
    const { records, distributed, payloads, version, lossesEvery = '5s' } = this.#options;
    // Anyone who lacks the keys hears of it here, and not from the first task that fails.
    await payloads?.keys?.current();
    const converter = this.#converter(given, namespace);
    const client = this.#client(connection, namespace, converter.dataConverter);
    const versioned = version && this.#versioned(given, version);
    const options = await this.#bundled(given);
    const { interceptors = {} } = options;
    const witness = records?.feed && new Witness(askTransitions(client), records.feed);
    const mark = watchWorkflows(async ({ workflowId, runId }, signal, args) =>
      client.workflow.getHandle(workflowId, runId).signal(signal, ...args),
    );
    const activities = joined('activities', options.activities, {
      ...ownActivities(records, lossesEvery),
      ...(distributed && distributedActivities(distributed)),
      ...this.#serving.activities,
      [mark]: () => undefined,
    });
    const sinks = joined('sinks', options.sinks, recordSinks(records, witness));
    const workflowBundle = await bundleForWorker(options.workflowBundle!, payloads?.keys !== undefined);

    await startKeeper(client, taskQueue);
    if (witness) this.#besides.push((ended) => witness.run(ended));
    if (version) this.#besides.push((ended) => noteSchemasWhenKnown(client, version, ended));
    const { shutdownGraceTime: grace, shutdownForceTime } = options;
    const ends = {
      ...endsOf(grace === undefined ? undefined : msToNumber(grace)),
      ...(shutdownForceTime !== undefined && { shutdownForceTime }),
    };
    this.#callWorkers = await this.#serving.workers({ connection, namespace, ...converter, ...ends });
    return {
      stickyQueueScheduleToStartTimeout: LOST_WORKER_MS,
      // The SDK has this setting, and leaves it out of its types.
      ...({ isolateExecutionTimeout: LOADS_WITHIN_MS } as object),
      ...{ ...options, ...converter, ...ends, ...versioned, workflowBundle, activities, sinks },
      interceptors: { ...interceptors, activity: [...(interceptors.activity ?? []), ...this.#serving.interceptors] },
    };
  }

  /** @throws TypeError where the options cannot be combined */
  async configureReplayWorker(given: ReplayWorkerOptions): Promise<ReplayWorkerOptions> {
    const { payloads, namespace = 'default' } = this.#options;
    const sinks = joined('sinks', given.sinks, NO_STORE);
    const options = await this.#bundled(given);
    const workflowBundle = await bundleForWorker(options.workflowBundle!, payloads?.keys !== undefined);
    return { ...options, ...this.#converter(given, namespace), workflowBundle, sinks };
  }

  /** Runs what belongs to the worker beside it: its calls on other task queues, and what is told of it. */
  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    const run = async (each: Worker) => (each === worker ? next(each) : runToEnd(each));
    await runTogether([worker, ...this.callWorkers], run, this.#besides);
  }

  #converter({ dataConverter }: Pick<WorkerOptions, 'dataConverter'>, namespace: string) {
    const { payloads } = this.#options;
    if (!dataConverter) return { dataConverter: workerConverter(payloads ?? UNENCRYPTED, namespace) };
    if (!payloads) return { dataConverter };
    const remedy = 'Leave one of them out: `payloads` of the plugin, or `dataConverter` of the worker';
    throw new TypeError(`Two data converters cannot be combined. ${remedy}.`);
  }

  /** Makes a client that reads and writes as the worker does. */
  #client(
    connection: ConnectionLike,
    namespace: string,
    converter: NonNullable<WorkerOptions['dataConverter']>,
  ): Client {
    const { payloads } = this.#options;
    return new Client({
      ...{ connection, namespace },
      dataConverter: payloads ? clientConverter(payloads, namespace) : converter,
    });
  }

  /** Bundles the workflow code, unless that was done beforehand. */
  async #bundled<T extends ReplayWorkerOptions>(options: T): Promise<T> {
    if (options.workflowBundle) return options;
    const { workflowsPath, bundlerOptions, plugins = [], interceptors, ...others } = options;
    if (workflowsPath === undefined) {
      const remedy = 'Pass `workflowsPath`, or a bundle that `bundleWorkflows` has made';
      throw new TypeError(`A worker with a ReevePlugin needs workflow code. ${remedy}.`);
    }
    if (bundlerOptions) {
      const remedy = 'Make the bundle beforehand, by `bundleWorkflows`, and pass it as `workflowBundle`';
      throw new TypeError(`\`bundlerOptions\` cannot be combined with a ReevePlugin. ${remedy}.`);
    }
    const later = plugins.slice(plugins.indexOf(this) + 1).find(({ configureWorker }) => configureWorker);
    if (later) {
      throw new TypeError(
        `The plugin '${later.name}' comes after the ReevePlugin, which bundles the workflow code before it. Put the ReevePlugin last, or make ` +
          'the bundle beforehand, by `bundleWorkflows`.',
      );
    }
    const { workflowModules, ...inWorker } = interceptors ?? {};
    const workflowBundle = await bundleWorkflows({
      ...{ workflowsPath, declarations: this.#options.declarations ?? [], plugins },
      ...(workflowModules && { interceptors: workflowModules }),
    });
    return { ...others, plugins, interceptors: inWorker, workflowBundle } as unknown as T;
  }

  #versioned({ workerDeploymentOptions }: WorkerOptions, version: WorkerVersion) {
    if (!workerDeploymentOptions) return { workerDeploymentOptions: deploymentOptions(version) };
    const remedy = 'Leave `workerDeploymentOptions` out: the plugin makes them of its `version`';
    throw new TypeError(`A worker has one version. ${remedy}.`);
  }
}

/** Joins what the worker has with what Reeve adds. @throws TypeError where both have the same name */
export function joined<T extends object>(what: string, own: object | undefined, added: T): T {
  const both = Object.keys(own ?? {}).filter((name) => Object.hasOwn(added, name));
  if (both.length === 0) return { ...own, ...added } as T;
  throw new TypeError(`The ${what} ${both.join(', ')} are Reeve's own. Give those of the worker other names.`);
}

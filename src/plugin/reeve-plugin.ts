import type { Worker, WorkerOptions } from '@temporalio/worker';
import type { AnyEntity } from '../definition/entity.js';
import { EntityPlugin, joined, type EntityPluginOptions } from '../temporal/plugin.js';
import { entityActivities } from './entity-activities.js';
import { serveEntity } from './serve-entity.js';

/** The settings of a worker that runs entities beside workflows and activities of its own. */
export interface ReevePluginOptions extends EntityPluginOptions {
  /** The declarations of the entities that workflows of your own use, by `proxyEntities`. */
  readonly entities?: readonly AnyEntity[];
  /** The declarations of the entities whose events it serves as Nexus operations: `entityService` describes them for the callers. */
  readonly nexus?: readonly AnyEntity[];
}

const AT_WORK: ReadonlySet<string> = new Set(['INITIALIZED', 'RUNNING']);
const LOOK_MS = 500;

/** Lets one of Temporal's workers run entities, operations and resource calls: `Worker.create({ plugins: [new ReevePlugin({ ... })] })`. */
export class ReevePlugin extends EntityPlugin {
  readonly #activities: object;
  readonly #nexus: readonly AnyEntity[];
  readonly #ending = new AbortController();

  constructor({ entities = [], nexus = [], ...options }: ReevePluginOptions) {
    super(options);
    this.#nexus = nexus;
    this.#activities = entityActivities([...entities, ...nexus], this.#ending.signal, options.records);
  }

  /** @throws TypeError where the options cannot be combined; MissingKey where keys are missing; the error of Temporal */
  override async configureWorker(options: WorkerOptions): Promise<WorkerOptions> {
    const activities = joined('activities', options.activities, this.#activities);
    const served = this.#nexus.length > 0 && [...(options.nexusServices ?? []), ...this.#nexus.map(serveEntity)];
    return super.configureWorker({ ...options, activities, ...(served && { nexusServices: served }) });
  }

  override async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    // The SDK tells activities of the end when the grace is over. Those that only wait make room at once.
    const look = setInterval(() => {
      if (!AT_WORK.has(worker.getState())) this.#ending.abort();
    }, LOOK_MS);
    await super.runWorker(worker, next).finally(() => clearInterval(look));
  }
}

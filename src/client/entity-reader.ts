import { setTimeout as delay } from 'node:timers/promises';
import {
  QueryNotRegisteredError,
  ApplicationFailure,
  QueryRejectedError,
  WorkflowClient,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { AnyEntity } from '../definition/entity.js';
import { isGone } from '../kernel/index.js';
import { Rejected } from '../protocol/errors.js';
import type { RefusedBirth, Rejection } from '../protocol/rejection.js';
import { entityId, SNAPSHOT_QUERY, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { finalSnapshot } from '../temporal/last-life.js';
import { answerInTime } from './answer-in-time.js';
import { ask } from '../temporal/ask.js';
import { readExecution } from './explain/execution.js';
import { NONE_FROZEN, type FrozenWorkers } from './frozen-workers.js';
import { servingWorkers } from './serving-workers.js';

/** An entity as its workflow shows it. */
export interface EntityReading {
  readonly snapshot: Snapshot;
  /** Is true if it was deleted: it is in its deleted state, or its workflow has ended. S1.3 */
  readonly gone: boolean;
}

const COMES_WITHIN_MS = 3_000;
const LOOK_MS = 20;
/** An answer that has not come after this time may never come. */
const ANSWERS_USUALLY_WITHIN_MS = 500;

/** Reads entities from their workflows, which are the truth. S5.2 */
export class EntityReader {
  readonly #client: Client;
  readonly #entities: ReadonlyMap<string, AnyEntity>;
  /** Asks only workflows that run. Most do, and are then read with one call to the service. */
  readonly #running: WorkflowClient;
  readonly #frozen: FrozenWorkers;

  constructor(client: Client, entities: ReadonlyMap<string, AnyEntity>, frozen: FrozenWorkers = NONE_FROZEN) {
    this.#frozen = frozen;
    this.#client = client;
    this.#entities = entities;
    const { connection } = client;
    this.#running = new WorkflowClient({ ...client.workflow.options, connection, queryRejectCondition: 'NOT_OPEN' });
  }

  /** @throws Rejected `absent`, or `no_answer` when no worker answers for the entity at the moment: at once where none is up */
  async read(ref: EntityRef): Promise<EntityReading> {
    const read = new AbortController();
    const reading = answerInTime(this.#client, entityId(ref), () => this.#readBorn(ref)).finally(() => read.abort());
    try {
      return await Promise.race([reading, this.#noteUnserved(ref, read.signal)]);
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) throw new Rejected(absent(ref));
      throw thrown;
    }
  }

  /** Ends the wait for an answer that no worker can give; otherwise it waits with it. @throws Rejected `no_answer` */
  async #noteUnserved(ref: EntityRef, read: AbortSignal): Promise<never> {
    const entity = entityId(ref);
    const never = new Promise<never>(() => undefined);
    await delay(ANSWERS_USUALLY_WITHIN_MS, undefined, { signal: read }).catch(() => undefined);
    if (read.aborted) return never;
    const unserved = await hasNoWorker(this.#client, entity, this.#frozen).catch(() => false);
    if (!unserved || read.aborted) return never;
    const message = `There is no answer from ${entity}: no worker serves it. 'reeve explain ${entity}' shows the reason. Try again when a worker is up.`;
    throw new Rejected({ code: 'no_answer', message, entity, event: '' });
  }

  /**
   * Reads an entity, and waits a moment for one that is about to be created: it may ask the store whether its request is new.
   * S2.5
   * @throws Rejected `no_answer` when that takes longer, as while the store is unavailable
   */
  async #readBorn(ref: EntityRef): Promise<EntityReading> {
    for (const until = Date.now() + COMES_WITHIN_MS; ;) {
      try {
        return await this.#read(ref);
      } catch (thrown) {
        if (!(thrown instanceof QueryNotRegisteredError)) throw thrown;
        if (Date.now() > until) throw new Unborn(ref);
      }
      await delay(LOOK_MS);
    }
  }

  async #read(ref: EntityRef): Promise<EntityReading> {
    try {
      const snapshot = await ask<Snapshot>(this.#running.getHandle(entityId(ref)), SNAPSHOT_QUERY);
      return this.#reading(snapshot, false);
    } catch (thrown) {
      if (!(thrown instanceof QueryRejectedError)) throw thrown;
      return this.#readEnded(ref);
    }
  }

  async #readEnded(ref: EntityRef): Promise<EntityReading> {
    const handle = this.#client.workflow.getHandle(entityId(ref));
    const { status, runId } = await handle.describe();
    // A deleted entity has left its snapshot: no worker is needed to read it.
    if (status.name === 'COMPLETED') return { snapshot: await finalSnapshot(this.#client, ref, runId), gone: true };
    const snapshot = await ask<Snapshot>(handle, SNAPSHOT_QUERY);
    // An entity that was refused at birth has never existed.
    if (status.name === 'FAILED' && snapshot.version === 0) throw new Rejected(absent(ref));
    return this.#reading(snapshot, status.name !== 'RUNNING');
  }

  /**
   * The rejection of the request that should have created the entity, by a worker that declares it otherwise than the client. S2.2
   */
  async refusedBirth(ref: EntityRef, request: string): Promise<RefusedBirth | undefined> {
    const refused = await this.#lastRefusal(ref);
    return refused?.request === request ? refused : undefined;
  }

  async #lastRefusal(ref: EntityRef): Promise<RefusedBirth | undefined> {
    try {
      const { status, runId } = await this.#client.workflow.getHandle(entityId(ref)).describe();
      if (status.name !== 'COMPLETED' && status.name !== 'FAILED') return undefined;
      return (await finalSnapshot(this.#client, ref, runId)).refused;
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) return undefined;
      if (!(thrown instanceof WorkflowFailedError)) throw thrown;
      const { cause } = thrown;
      return cause instanceof ApplicationFailure ? (cause.details?.[0] as RefusedBirth | undefined) : undefined;
    }
  }

  /** A deleted entity may still have something to do before its workflow ends. */
  #reading(snapshot: Snapshot, ended: boolean): EntityReading {
    const entity = this.#entities.get(snapshot.type);
    return { snapshot, gone: ended || (entity !== undefined && isGone(entity, snapshot)) };
  }
}

/** An entity has not been created yet: only the store can tell whether its request is new. S2.5 */
export class Unborn extends Rejected {
  constructor(ref: EntityRef) {
    const entity = entityId(ref);
    const message = `${entity} has not been created yet: it waits for the store, which cannot be reached. Try again when the store is back.`;
    super({ code: 'no_answer', message, entity, event: '' });
  }
}

/** Tells whether a workflow runs and no worker serves its build or its task queue, as Temporal shows. */
async function hasNoWorker(client: Client, workflowId: string, frozen: FrozenWorkers): Promise<boolean> {
  const execution = await readExecution(client, workflowId);
  if (!execution?.running) return false;
  if (execution.unservedBuild !== undefined || execution.untaken) return true;
  return (await servingWorkers(client, execution.taskQueue, frozen)).alive === 0;
}

function absent(ref: EntityRef): Rejection {
  const entity = entityId(ref);
  return {
    code: 'absent',
    message: `${entity} does not exist. Create it first, or check the key.`,
    entity,
    event: '',
  };
}

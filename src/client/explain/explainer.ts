import type { Client } from '@temporalio/client';
import type { AnyEntity } from '../../definition/entity.js';
import { explainOperation } from '../../operations/explain.js';
import { Rejected } from '../../protocol/errors.js';
import { entityId, operationWorkflowId, type EntityRef } from '../../protocol/names.js';
import { answerInTime } from '../answer-in-time.js';
import type { EntityReader } from '../entity-reader.js';
import type { FrozenWorkers } from '../frozen-workers.js';
import type { OperationReading } from '../operation-reading.js';
import { EVERYBODY, toldTo, type Audience } from './audience.js';
import { Crawl, unread } from './crawl.js';
import { isUnserved, readExecution, type Execution, type PendingCall } from './execution.js';
import type { ExplainedOperation, Explanation, SeenStuck } from './explanation.js';
import { entitiesOf } from './operation-entities.js';
import { lastTask } from './last-task.js';
import { stuckOnes } from './stuck-ones.js';
import { TaskQueues, type StarvedQueue } from './task-queues.js';
import { failsInCode } from './lost-task.js';
import { makeTree } from './tree.js';

/** How long all questions of an explanation may take together: it goes from one entity to the next. */
const EXPLAINS_WITHIN_MS = 20_000;

/** Tells what operations and entities wait for. The workflows know this; the service knows the rest. S5.4 */
export class Explainer {
  readonly #client: Client;
  readonly #reader: EntityReader;
  readonly #entities: ReadonlyMap<string, AnyEntity>;
  readonly #frozen: FrozenWorkers;

  constructor(client: Client, reader: EntityReader, entities: ReadonlyMap<string, AnyEntity>, frozen: FrozenWorkers) {
    this.#frozen = frozen;
    this.#client = client;
    this.#reader = reader;
    this.#entities = entities;
  }

  /** Explains what an entity waits for. @throws Rejected `absent` */
  async entity(ref: EntityRef, audience: Audience): Promise<Explanation> {
    const entity = entityId(ref);
    const explain = async () => {
      const explanation = await this.#explain(new TaskQueues(this.#client, this.#frozen), [entity], audience);
      const [root] = explanation.entities;
      // It is not there, or not for the caller.
      if (!root || (root.kind === 'unread' && root.reason === 'absent')) {
        const message = `${entity} does not exist. Create it first, or check the key.`;
        throw new Rejected({ code: 'absent', message, entity, event: '' });
      }
      const last = await lastTask(this.#client, entity);
      return withStuck({ ...explanation, ...(last && { lastTask: last }) });
    };
    return answerInTime(this.#client, entity, explain, EXPLAINS_WITHIN_MS);
  }

  /**
   * Tells why a workflow is stuck, as far as Temporal knows. No worker is asked. Nothing where it is not stuck, or Temporal does not answer.
   */
  async stuck(workflowId: string): Promise<SeenStuck | undefined> {
    try {
      const execution = await readExecution(this.#client, workflowId);
      if (!execution) return undefined;
      const { task, calls } = execution;
      const entities = [unread(workflowId, task && failsInCode(task) ? 'failed' : 'no_answer', execution)];
      const queues = new TaskQueues(this.#client, this.#frozen);
      if (execution.unservedBuild !== undefined) queues.notePinned(execution.taskQueue);
      const starved = await queues.starved(queuesOf(calls));
      return stuckOnes({ at: Date.now(), entities, starved })[0];
    } catch (thrown) {
      if (thrown instanceof Rejected && thrown.code === 'no_answer') return undefined;
      throw thrown;
    }
  }

  /** Explains what an operation waits for. `read` reads it from its workflow. @throws Rejected, as `read` does */
  operation(id: string, read: () => Promise<OperationReading>, audience: Audience = EVERYBODY): Promise<Explanation> {
    const explain = () => this.#operation(id, read, audience);
    return answerInTime(this.#client, operationWorkflowId(id), explain, EXPLAINS_WITHIN_MS);
  }

  async #operation(id: string, read: () => Promise<OperationReading>, audience: Audience): Promise<Explanation> {
    const queues = new TaskQueues(this.#client, this.#frozen);
    const execution = await readExecution(this.#client, operationWorkflowId(id));
    const asks = !execution?.running || (!execution.unservedBuild && queues.answers(execution.taskQueue));
    const reading = asks ? await readIfAnswered(read) : undefined;
    // The workflow may have failed only because it was asked.
    const silent = !reading && ((await readExecution(this.#client, operationWorkflowId(id))) ?? execution);
    if (silent) return this.#unread(id, silent, queues, audience);
    if (reading?.state === 'ended') {
      const { name, outcome, startedAt, endedAt, errors } = reading.result;
      const operation = { kind: 'ended', id, name, outcome, startedAt, endedAt, errors } as const;
      return { at: Date.now(), operation: await toldTo(audience, operation), entities: [], starved: [], stuck: [] };
    }
    if (reading?.state !== 'running') throw new Error(`The operation ${id} has no workflow to read.`);
    const waits = explainOperation(reading.status);
    const operation: ExplainedOperation = {
      kind: 'operation',
      ...waits,
      ...(execution?.task && { task: execution.task }),
    };
    const from = waits.open.map(({ entity }) => entity);
    return withStuck({
      ...(await this.#explain(queues, from, audience)),
      operation: await toldTo(audience, operation),
    });
  }

  /** The explanation when no worker answers: it has the entities that have shown that they take part. */
  async #unread(id: string, execution: Execution, queues: TaskQueues, audience: Audience): Promise<Explanation> {
    const { startedAt, task, unservedBuild, shown } = execution;
    if (isUnserved(execution)) queues.noteSilence(execution.taskQueue);
    if (unservedBuild !== undefined) queues.notePinned(execution.taskQueue);
    const from = await entitiesOf(this.#client, id);
    const operation: ExplainedOperation = {
      ...{ kind: 'unread', id, startedAt },
      ...(shown.outcome !== undefined && { outcome: shown.outcome }),
      ...(task && { task }),
      ...(unservedBuild !== undefined && { unservedBuild }),
    };
    return withStuck({ ...(await this.#explain(queues, from, audience)), operation });
  }

  async #explain(queues: TaskQueues, from: readonly string[], audience: Audience): Promise<Omit<Explanation, 'stuck'>> {
    const crawl = new Crawl(this.#client, this.#reader, this.#entities, queues, audience);
    await crawl.run(from);
    const calls = [...crawl.found.values()].flatMap((found) => found.calls);
    const starved = await queues.starved(queuesOf(calls));
    return {
      at: Date.now(),
      // An entity names itself what it waits for. An operation must not name entities that the audience may not see.
      entities: makeTree(from, crawl.found).filter((node) => node.kind !== 'unread' || node.reason !== 'hidden'),
      starved: audience.everything ? starved : starved.map(withoutCounts),
    };
  }
}

/** The task queues in which calls wait for a worker. */
function queuesOf(calls: readonly PendingCall[]): readonly string[] {
  return calls.filter(({ state }) => state === 'queued').map(({ taskQueue }) => taskQueue);
}

/** Adds what is stuck, only from what the audience is told. */
function withStuck(explanation: Omit<Explanation, 'stuck'>): Explanation {
  return { ...explanation, stuck: stuckOnes(explanation) };
}

/** Leaves out the counts of a queue, since work of all tenants waits in it. */
function withoutCounts({ waiting: _, oldestMs: __, ...queue }: StarvedQueue): StarvedQueue {
  return queue;
}

async function readIfAnswered(read: () => Promise<OperationReading>): Promise<OperationReading | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Rejected && thrown.code === 'no_answer') return undefined;
    throw thrown;
  }
}

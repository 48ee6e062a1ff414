import { WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { immediateOutcome } from '../kernel/index.js';
import { immediateResult } from '../operations/immediate-result.js';
import { resultOf } from '../operations/result.js';
import type { OperationResult, OperationStatus } from '../operations/status.js';
import { Rejected } from '../protocol/errors.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { EngagementOutcome } from '../protocol/outcome.js';
import type { RefusedBirth } from '../protocol/rejection.js';
import { LONGEST_HOLD_MS } from '../protocol/request.js';
import { operationMessageName } from '../protocol/message-names.js';
import { entityId, OPERATION_QUERY, operationWorkflowId, OUTCOME_UPDATE, type EntityRef } from '../protocol/names.js';
import { DISTRIBUTED } from '../protocol/distributed-names.js';
import { asOperation } from './distributed-reading.js';
import type { DistributedOperations } from './distributed.js';
import { answerInTime } from './answer-in-time.js';
import { ask } from '../temporal/ask.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import type { EntityReader, EntityReading } from './entity-reader.js';
import type { Audience } from './explain/audience.js';
import type { Explainer } from './explain/explainer.js';
import type { Explanation } from './explain/explanation.js';
import type { OperationReading } from './operation-reading.js';
import type { PastReader } from './past-reader.js';

/** How long an operation may take to appear after the answer that names it. Then its entity is asked whether it knows it. */
const APPEARS_WITHIN_MS = 30_000;
/** After this time an operation follows an event that has not settled, unless its answer is held back. */
const FOLLOWS_WITHIN_MS = 2_500;
/** How long an entity may take to tell an outcome. */
const TELLS_WITHIN_MS = LONGEST_HOLD_MS + 5_000;
/** How often it is looked for. */
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 200;

/** Follows operations. */
export class OperationReader {
  readonly #client: Client;
  readonly #entities: EntityReader;
  readonly #explainer: Explainer;
  readonly #past: PastReader;
  readonly #distributed: DistributedOperations;

  constructor(
    client: Client,
    entities: EntityReader,
    explainer: Explainer,
    past: PastReader,
    distributed: DistributedOperations,
  ) {
    this.#distributed = distributed;
    this.#client = client;
    this.#entities = entities;
    this.#explainer = explainer;
    this.#past = past;
  }

  /** Returns how far an operation is. @throws Rejected `absent` */
  async status(operation: string): Promise<OperationStatus> {
    const handle = this.#client.workflow.getHandle(operationWorkflowId(operation));
    try {
      return await ask<OperationStatus>(handle, OPERATION_QUERY);
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) throw new Rejected(absent(operation));
      throw thrown;
    }
  }

  /**
   * An operation as it is. One that has ended is read without a worker. `on` is the entity on which it was opened: this entity
   * knows it before its workflow appears, and where it settled at once. The store knows what this entity has forgotten.
   * @throws Rejected `absent`, `no_answer` when no worker answers for it at the moment, `try_again` while the store is unavailable
   */
  async read(operation: string, on?: EntityRef): Promise<OperationReading> {
    try {
      return await answerInTime(this.#client, operationWorkflowId(operation), () => this.#read(operation));
    } catch (thrown) {
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
    }
    if (!on) throw new Rejected(absent(operation));
    if (on.type === DISTRIBUTED) return asOperation(operation, await this.#distributed.started(operation, on.key));
    let reading: EntityReading;
    try {
      reading = await this.#entities.read(on);
    } catch (thrown) {
      const refused = thrown instanceof Rejected && (await this.#entities.refusedBirth(on, operation));
      if (refused) return settledByRefusal(refused);
      throw thrown;
    }
    const { snapshot } = reading;
    const recent = snapshot.ledger.recent.find(({ id }) => id === operation);
    const refused = recent ? undefined : await this.#entities.refusedBirth(on, operation);
    if (refused) return settledByRefusal(refused);
    const known = recent ?? (await this.#past.outcome(on, { id: operation, event: '' }));
    if (!known) throw new Rejected(absent(operation));
    // An earlier life that knew the request may have belonged to another tenant.
    const tenant = known.life === undefined || known.life === snapshot.life ? snapshot.tenant : undefined;
    const { event, outcome } = known;
    if (outcome && known.followed) return this.#appeared(operation, on);
    return outcome ? { state: 'settled', event, outcome, tenant } : { state: 'beginning', event, tenant };
  }

  /**
   * An operation with a workflow, which knows more than the entity. The workflow has just appeared, or will in a moment. Where
   * it ended too long ago for Temporal, the store tells.
   * @throws Rejected `absent`, `try_again`
   */
  async #appeared(operation: string, on: EntityRef): Promise<OperationReading> {
    for (const until = Date.now() + FOLLOWS_WITHIN_MS; ;) {
      try {
        return await answerInTime(this.#client, operationWorkflowId(operation), () => this.#read(operation));
      } catch (thrown) {
        if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
        if (Date.now() > until) break;
      }
      await delay(LONGEST_LOOK_MS);
    }
    const past = await this.#past.outcome(on, { id: operation, event: '' });
    if (!past) throw new Rejected(absent(operation));
    return { state: 'settled', event: past.event, outcome: past.outcome };
  }

  /** Reads an operation from its workflow. @throws WorkflowNotFoundError; Rejected when it was ended by hand */
  async #read(operation: string): Promise<OperationReading> {
    const handle = this.#client.workflow.getHandle(operationWorkflowId(operation));
    const { status } = await handle.describe();
    if (status.name === 'COMPLETED') return { state: 'ended', result: (await handle.result()) as OperationResult };
    if (status.name !== 'RUNNING' && status.name !== 'CONTINUED_AS_NEW') throw new Rejected(terminated(operation));
    const found = await ask<OperationStatus>(handle, OPERATION_QUERY);
    // The operation has ended, and its workflow only waits for the store.
    if (found.outcome !== 'running') return { state: 'ended', result: resultOf(found) };
    return { state: 'running', status: found };
  }

  /**
   * Returns what an operation waits for, as a tree of its participants. Where no worker answers, it holds what the service knows. S5.4
   * @throws Rejected `absent`
   */
  explain(operation: string, audience?: Audience): Promise<Explanation> {
    return this.#explainer.operation(operation, () => this.read(operation), audience);
  }

  /**
   * Asks to cancel an operation: each entity answers as it declares. The result tells whether one has honoured it. S4.7 For an
   * operation that was accepted a moment ago, it waits `withinMs` milliseconds: that may have no workflow yet, or need none. `on` is
   * that on which it was opened, where that is a target of distributed operations.
   * @throws Rejected `absent` when it does not run, `no_answer` when no worker answers; the request may still arrive
   */
  async cancel(operation: string, withinMs = FOLLOWS_WITHIN_MS, on?: EntityRef): Promise<void> {
    if (on?.type === DISTRIBUTED) {
      const { ref } = await this.#distributed.started(operation, on.key);
      await this.#distributed.cancel(ref);
      return;
    }
    const id = operationWorkflowId(operation);
    const message: OperationMessage = { kind: 'cancel' };
    const ask = () => this.#client.workflow.getHandle(id).signal(operationMessageName(message), message);
    for (const until = Date.now() + withinMs; ;) {
      try {
        return await answerInTime(this.#client, id, ask);
      } catch (thrown) {
        if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
        if (Date.now() > until) throw new Rejected(absent(operation));
      }
      await delay(LONGEST_LOOK_MS);
    }
  }

  /**
   * Waits until the operation that an event belongs to has ended. An operation appears a moment after the answer that names it.
   * It never appears when the event has settled by then: then its entity tells the outcome. It appears late when a task of its
   * entity lasts long: it is waited for while the entity knows the event. `signal` only ends the waiting, with an error.
   * @throws Rejected `absent` when there is none, `no_answer` when no worker answers for it at the moment, `outcome_unknown`
   * when it ended too long ago to be remembered
   */
  async result(taken: AcceptedEvent, signal?: AbortSignal): Promise<OperationResult> {
    const { answer } = taken;
    if (answer.status === 'accepted' && answer.outcome) return immediateResult(taken, answer.outcome, Date.now());
    const wait = () => this.#wait(taken, signal);
    return signal ? this.#client.withAbortSignal(signal, wait) : wait();
  }

  async #wait(taken: AcceptedEvent, signal: AbortSignal | undefined): Promise<OperationResult> {
    const { answer, entity, requestId } = taken;
    const handle = this.#client.workflow.getHandle(operationWorkflowId(answer.operation));
    let until = Date.now() + APPEARS_WITHIN_MS;
    let told = answer.status === 'accepted' && answer.unfollowed === true;
    for (let lookMs = FIRST_LOOK_MS; ;) {
      if (told) {
        const outcome = await this.#toldBy(entity, requestId, until);
        if (outcome) return immediateResult(taken, outcome, Date.now());
      }
      try {
        return (await handle.result()) as OperationResult;
      } catch (thrown) {
        if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
      }
      if (answer.status === 'accepted' && answer.longAgo) return this.#longAgo(taken);
      if (Date.now() > until) {
        const reading = await this.read(answer.operation, entity);
        if (reading.state === 'settled') return immediateResult(taken, reading.outcome, Date.now());
        until = Date.now() + APPEARS_WITHIN_MS;
      }
      if (told) {
        await delay(lookMs, undefined, signal && { signal });
        lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS);
      }
      told = true;
    }
  }

  /**
   * The result from the store, for an event that its entity and Temporal have forgotten. @throws Rejected `outcome_unknown`,
   * `try_again`
   */
  async #longAgo(taken: AcceptedEvent): Promise<OperationResult> {
    const { entity, event, requestId } = taken;
    const past = await this.#past.outcome(entity, { id: requestId, event });
    if (!past) throw new Rejected(longAgo(taken));
    return immediateResult(taken, past.outcome, past.startedAt, past.endedAt);
  }

  /**
   * The outcome that an entity tells of an event that no operation follows yet. Nothing when an operation does, and while no
   * worker answers: one may be on its way. @throws Rejected after the time
   */
  async #toldBy(entity: EntityRef, event: string, until: number): Promise<EngagementOutcome | undefined> {
    const id = entityId(entity);
    const ask = () =>
      this.#client.workflow
        .getHandle(id)
        .executeUpdate<EngagementOutcome | null, [string]>(OUTCOME_UPDATE, { args: [event] });
    try {
      return (await answerInTime(this.#client, id, ask, TELLS_WITHIN_MS)) ?? undefined;
    } catch (thrown) {
      if (thrown instanceof WorkflowUpdateFailedError) return undefined;
      if (thrown instanceof Rejected && thrown.code === 'no_answer' && Date.now() < until) return undefined;
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
    }
    const refused = await this.#entities.refusedBirth(entity, event);
    if (refused) return settledByRefusal(refused).outcome;
    // The entity has ended since, so its last snapshot tells.
    return immediateOutcome((await this.#entities.read(entity)).snapshot.ledger, event);
  }
}

function longAgo({ entity, event, requestId }: AcceptedEvent) {
  const message = `The request '${requestId}' was accepted long ago, and has not run again. Neither Temporal nor a store has its outcome.`;
  return { code: 'outcome_unknown', message, entity: entityId(entity), event };
}

function terminated(operation: string) {
  const message = `The operation ${operation} was ended by hand, before its outcome was known. Look at its entities.`;
  return { code: 'outcome_unknown', message, entity: operationWorkflowId(operation), event: '' };
}

function absent(operation: string) {
  const message = `There is no operation ${operation}. It may have ended long ago, or the id may be wrong.`;
  return { code: 'absent', message, entity: operationWorkflowId(operation), event: '' };
}

/** An operation that was to create an entity, and was rejected by its worker. */
function settledByRefusal({ state, tenant, rejection }: RefusedBirth) {
  const outcome: EngagementOutcome = { state, version: 0, health: 'normal', waiting: false, closed: true, rejection };
  return { state: 'settled', event: rejection.event, outcome, tenant } as const;
}

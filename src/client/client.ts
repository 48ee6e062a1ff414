import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { ConstructOption } from '../definition/action-context.js';
import { CREATED } from '../definition/created.js';
import type { AnyEntity, ConstructInput, EventOf } from '../definition/entity.js';
import { splitArguments, type AnyParams, type EventArguments } from '../definition/event-arguments.js';
import { type AllowedEvent, allowedEvents, refGiven } from '../kernel/index.js';
import type { KeyOf } from '../definition/key-schema.js';
import { plainRequest } from '../protocol/plain-request.js';
import { didYouMean } from '../definition/did-you-mean.js';
import { requestOf } from '../protocol/callback-request.js';
import { Rejected } from '../protocol/errors.js';
import { LONGEST_HOLD_MS, type RaiseRequest } from '../protocol/request.js';
import type { BirthOptions, RaiseOptions, RequestOptions } from '../protocol/request-options.js';
import type { OperationResult } from '../operations/status.js';
import type { CallbackAnswer, CallbackQuestion } from '../protocol/callback.js';
import {
  DEFAULT_TASK_QUEUE,
  entityId,
  EXTEND_EVENT,
  LOSE_EVENT,
  RETRY_EVENT,
  REVOKE_EVENT,
  type EntityRef,
} from '../protocol/names.js';
import { answerInTime } from './answer-in-time.js';
import { operationTypes, type AnyDistributedOperation } from '../distributed/index.js';
import type { AnyComponent, Kind } from '../components/index.js';
import { Batcher } from './batcher.js';
import { Creator } from './creator.js';
import { Deployments } from './deployments.js';
import { DistributedOperations } from './distributed.js';
import { EntityReader, type EntityReading } from './entity-reader.js';
import { EVERYBODY, type Audience } from './explain/audience.js';
import { withErrorCauses } from './explain/error-causes.js';
import { Explainer } from './explain/explainer.js';
import type { Explanation, SeenStuck } from './explain/explanation.js';
import { LiveReader } from './live/live-reader.js';
import { newRequestId } from './new-request-id.js';
import { OperationReader } from './operation-reader.js';
import { untakenEntities, type Untaken } from './explain/untaken.js';
import { unservedQueues, type UnservedQueue } from './explain/unserved-queues.js';
import { NONE_FROZEN, type FrozenWorkers } from './frozen-workers.js';
import { servingWorkers, type ServingWorkers } from './serving-workers.js';
import { PastReader, type RecallRequests } from './past-reader.js';
import { sendBatch } from './raise.js';
import type { AskedEvent, EventValues } from './values/event-values.js';
import { readValues, type ReadingLimits } from './values/value-reader.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';

/** Holds what a client needs: a Temporal client, and the declarations that it uses. */
export interface ReeveClientOptions {
  readonly client: Client;
  /** The declarations: events are checked against them before anything is created. */
  readonly entities: readonly AnyEntity[];
  /** The components of workflows that are deployed on their own. W1 */
  readonly components?: readonly (AnyComponent | Kind)[];
  /** The types of operations over partitions, for those who have to know them: the management service, and its roles. I8 */
  readonly distributed?: readonly AnyDistributedOperation[];
  readonly taskQueue?: string;
  /** Asks the store about requests of entities that have ended long ago. Without it, such requests count as new. S2.5 */
  readonly recall?: RecallRequests;
  /** Gives the workers whose processes are frozen. Without it, such workers count as alive until they are missed. */
  readonly frozen?: FrozenWorkers;
}

/** Creates entities, raises events, reads entities and follows operations. */
export class ReeveClient {
  readonly operations: OperationReader;
  /** Trees of components that run on their own. W1 */
  readonly deployments: Deployments;
  /** Operations over partitions. I1 to I8 */
  readonly distributed: DistributedOperations;
  /** Lists what runs. S5.2 */
  readonly live: LiveReader;
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #frozen: FrozenWorkers;
  readonly #entities: ReadonlyMap<string, AnyEntity>;
  readonly #reader: EntityReader;
  readonly #batcher: Batcher;
  readonly #explainer: Explainer;
  readonly #creator: Creator;

  constructor({ client, entities, components = [], distributed = [], ...options }: ReeveClientOptions) {
    const { taskQueue = DEFAULT_TASK_QUEUE, recall, frozen = NONE_FROZEN } = options;
    this.#frozen = frozen;
    this.#client = client;
    this.deployments = new Deployments({ client, taskQueue, components });
    this.#entities = new Map(entities.map((entity) => [entity.name, entity]));
    this.#reader = new EntityReader(client, this.#entities, frozen);
    const past = new PastReader(client, recall);
    this.distributed = new DistributedOperations({
      client,
      taskQueue,
      types: operationTypes(distributed),
      past,
      frozen,
    });
    this.#batcher = new Batcher((to, requests) => sendBatch(client, to, requests, past));
    this.#creator = new Creator({ client, taskQueue, past, reader: this.#reader, batcher: this.#batcher });
    this.#explainer = new Explainer(client, this.#reader, this.#entities, frozen);
    this.#taskQueue = taskQueue;
    this.live = new LiveReader(client);
    this.operations = new OperationReader(client, this.#reader, this.#explainer, past, this.distributed);
  }

  /** The declaration of a type. @throws Rejected `unknown_type` */
  entity(type: string): AnyEntity {
    const entity = this.#entities.get(type);
    if (entity) return entity;
    const known = [...this.#entities.keys()];
    const message = `There is no entity type '${type}'.${didYouMean(type, known)} The entity types are: ${known.join(', ')}.`;
    throw new Rejected({ code: 'unknown_type', message, entity: type, event: '' });
  }

  /**
   * Creates an entity by an event. If it exists, the event goes to it and gets its declared answer.
   * @throws Rejected; then nothing has been created
   */
  async create<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, BirthOptions & ConstructOption<E>>
  ): Promise<AcceptedEvent> {
    const { params, options } = splitArguments<BirthOptions & ConstructOption<AnyEntity>>(entity, event, rest);
    return this.createAny(entity, key, event, { ...options, params });
  }

  /** The same, for code that treats all types alike. @throws Rejected, also when the event does not take the parameters */
  async createAny(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    given: BirthOptions & ConstructOption<AnyEntity> & AnyParams = {},
  ): Promise<AcceptedEvent> {
    const { construct } = given;
    const to = refGiven(entity, key, event);
    const request = { ...toRequest(event, given), ...(construct && { construct }) };
    return this.#creator.create(entity, to, plainRequest(to, request));
  }

  /**
   * Creates an entity without an event: it begins in its initial state, with these values. S2.1
   * @throws Rejected, with `already_exists` when the entity exists; then nothing has been created
   */
  async construct<E extends AnyEntity>(
    entity: E,
    key: KeyOf<E>,
    values: ConstructInput<E>,
    options: BirthOptions = {},
  ): Promise<AcceptedEvent> {
    const to = refGiven(entity, key, CREATED);
    return this.#creator.create(entity, to, plainRequest(to, { ...toRequest(CREATED, options), construct: values }));
  }

  /** Raises an event. Events that are raised at about the same time on one entity travel together. S4.6 @throws Rejected */
  async raise<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions>
  ): Promise<AcceptedEvent> {
    const { params, options } = splitArguments<RaiseOptions>(entity, event, rest);
    return this.raiseAny(entity, key, event, { ...options, params });
  }

  /** The same, for code that treats all types alike. @throws Rejected, also when the event does not take the parameters */
  async raiseAny(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    given: RaiseOptions & AnyParams = {},
  ): Promise<AcceptedEvent> {
    return this.#raise(refGiven(entity, key, event), toRequest(event, given));
  }

  /** Raises an event and waits for the outcome of its operation. @throws Rejected, and what `operations.result` throws */
  async perform<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions>
  ): Promise<OperationResult> {
    const { params, options } = splitArguments<RaiseOptions>(entity, event, rest);
    const request = { holdMs: LONGEST_HOLD_MS, ...options, params };
    return this.operations.result(await this.raiseAny(entity, key, event, request));
  }

  /**
   * An operator's call: runs an automatic action whose attempts are used up again, with its attempts anew. S3.5
   * @throws Rejected, with `not_exhausted` when the entity has none
   */
  retry(ref: EntityRef, options: RaiseOptions = {}): Promise<AcceptedEvent> {
    return this.#raise(ref, toRequest(RETRY_EVENT, options));
  }

  /**
   * An operator's call: marks a successor as lost, so that no entity waits for it. S4.4
   * @throws Rejected, with `no_such_successor` when the entity has no successor of that name for which it could wait
   */
  markLost(ref: EntityRef, successor: EntityRef, options: RequestOptions = {}): Promise<AcceptedEvent> {
    return this.#raise(ref, toRequest(LOSE_EVENT, { ...options, params: { successor: entityId(successor) } }));
  }

  /**
   * An operator's call: waits for an answer from outside until a later time, in milliseconds since 1970. A1
   * @throws Rejected: `callback_closed` when nobody waits for it any more, `invalid_parameters` for a time that is sooner
   */
  extendCallback(
    ref: EntityRef,
    extension: { readonly callback: string; readonly until: number },
    options: RequestOptions = {},
  ): Promise<AcceptedEvent> {
    return this.#raise(ref, toRequest(EXTEND_EVENT, { ...options, params: extension }));
  }

  /**
   * An operator's call: waits for an answer from outside no longer. Its call fails with the code `call_revoked`. A1
   * @throws Rejected `callback_closed` when nobody waits for it any more
   */
  revokeCallback(ref: EntityRef, callback: string, options: RequestOptions = {}): Promise<AcceptedEvent> {
    return this.#raise(ref, toRequest(REVOKE_EVENT, { ...options, params: { callback } }));
  }

  /**
   * Answers a call from outside, as its address says. The same answer again is the same.
   * @throws Rejected: `callback_closed` when it comes too late, `request_conflict` after another answer, `invalid_parameters`
   */
  async answer(question: CallbackQuestion, answer: CallbackAnswer): Promise<void> {
    const { type, key } = question.of;
    await this.#raise({ type, key }, requestOf(question, answer, Date.now()));
  }

  /** The entity as it is, even if it was deleted. @throws Rejected `absent` */
  read(ref: EntityRef): Promise<EntityReading> {
    return this.#reader.read(ref);
  }

  /**
   * Returns what the entity waits for, as a tree down to calls, attempts and the entities that hold it up. S5.4 @throws Rejected
   * `absent`
   */
  async explain(ref: EntityRef, audience: Audience = EVERYBODY): Promise<Explanation> {
    const explanation = await this.#explainer.entity(ref, audience);
    return withErrorCauses(explanation, (operation) => this.operations.read(operation, ref), audience);
  }

  /**
   * Reads the parameters of an event, and the inputs and outputs of its calls, from the history of its entity. Masks nothing: whoever
   * shows them decides on that. S5.1
   * @throws Rejected `no_answer` when Temporal does not answer
   */
  values(event: AskedEvent, limits?: ReadingLimits): Promise<EventValues> {
    return readValues(this.#client, event, limits);
  }

  /** Returns why a workflow is stuck, as far as Temporal knows; nothing where it is not. No worker is asked. S5.4 */
  stuck(workflowId: string): Promise<SeenStuck | undefined> {
    return this.#explainer.stuck(workflowId);
  }

  /** Returns which events may be raised on the entity now, and why the others may not. S2.6 @throws Rejected `absent` */
  async allowedEvents(ref: EntityRef): Promise<readonly AllowedEvent[]> {
    const entity = this.entity(ref.type);
    const { snapshot } = await this.read(ref);
    return allowedEvents(entity, snapshot);
  }

  /** Returns which workers serve its entities. @throws while Temporal is unavailable */
  workers(): Promise<ServingWorkers> {
    return answerInTime(this.#client, this.#taskQueue, () =>
      servingWorkers(this.#client, this.#taskQueue, this.#frozen),
    );
  }

  /**
   * Gives the task queues whose work no worker takes, or one of whose workers is frozen: that of the workflows and their calls, and those of
   * the places of executors.
   * @throws while Temporal is unavailable
   */
  unserved(places: readonly string[]): Promise<readonly UnservedQueue[]> {
    return answerInTime(this.#client, this.#taskQueue, () =>
      unservedQueues(this.#client, this.#taskQueue, places, this.#frozen),
    );
  }

  /**
   * Finds entities that have not begun, since no worker serves their task queue: of these types, or of all.
   * @throws Rejected `no_answer` while Temporal is unavailable
   */
  untaken(types: readonly string[] | undefined, rows: number): Promise<readonly Untaken[]> {
    const meant = types ?? [...this.#entities.keys()];
    return answerInTime(this.#client, this.#taskQueue, () =>
      untakenEntities(this.#client, this.live, meant, rows, this.#frozen),
    );
  }

  /**
   * A text that differs from an earlier one when the entity or operation may have changed since. No worker is asked.
   * @throws Rejected `absent`, or `no_answer` when Temporal does not answer
   */
  async revision(workflowId: string): Promise<string> {
    try {
      const handle = this.#client.workflow.getHandle(workflowId);
      const { runId, historyLength, status } = await answerInTime(this.#client, workflowId, () => handle.describe());
      return `${runId} ${historyLength} ${status.name}`;
    } catch (thrown) {
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
      const message = `${workflowId} does not exist.`;
      throw new Rejected({ code: 'absent', message, entity: workflowId, event: '' });
    }
  }

  async #raise(to: EntityRef, request: RaiseRequest): Promise<AcceptedEvent> {
    const answer = await this.#batcher.raise(to, plainRequest(to, request));
    if (answer.status === 'rejected') throw new Rejected(answer.rejection);
    return { entity: to, event: request.event, requestId: request.id, answer };
  }
}

function toRequest(
  event: string,
  { params, requestId, expects, holdMs, actor, tenant }: RaiseOptions & BirthOptions & AnyParams,
): RaiseRequest {
  return {
    ...{ id: requestId ?? newRequestId(), event },
    ...(params !== undefined && { params }),
    ...(expects && { expects }),
    ...(holdMs !== undefined && { holdMs }),
    ...(actor && { actor }),
    ...(tenant !== undefined && { tenant }),
  };
}

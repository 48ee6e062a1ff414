import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnyEntity } from '../definition/entity.js';
import { checkKey, neededBy, refusalAtBirth, refusalWithout, refusalOfLinks, targetsAtBirth } from '../kernel/index.js';
import { Rejected } from '../protocol/errors.js';
import type { Answer } from '../protocol/answer.js';
import type { Creation } from '../protocol/creation.js';
import type { Rejection } from '../protocol/rejection.js';
import type { RaiseRequest } from '../protocol/request.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { readLastLife } from '../temporal/last-life.js';
import type { Batcher } from './batcher.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import type { EntityReader } from './entity-reader.js';
import type { PastReader } from './past-reader.js';

/** How long to wait for the end of a deleted entity, and how often to look for it, in milliseconds. */
const ENDS_WITHIN_MS = 5_000;
const LOOK_MS = 20;

export interface CreatorOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly past: PastReader;
  readonly reader: EntityReader;
  readonly batcher: Batcher;
}

/** Starts entities, but only those that would not be refused. S1.3, S2.2 */
export class Creator {
  readonly #options: CreatorOptions;

  constructor(options: CreatorOptions) {
    this.#options = options;
  }

  /** If the entity exists, the event goes to it and gets its declared answer. @throws Rejected; then nothing has been created */
  async create(entity: AnyEntity, to: EntityRef, request: RaiseRequest): Promise<AcceptedEvent> {
    const { batcher, past } = this.#options;
    const { event } = request;
    const noKey = checkKey(entity, to, event);
    if (noKey) throw new Rejected(noKey.rejection);
    const rejection =
      refusalAtBirth(entity, to, request)?.rejection ?? (await this.#refusalWithout(entity, to, request));
    // An event that is not valid at birth may be valid for an entity that lives, and the answer of that one tells more.
    if (rejection) return this.#raiseOnLiving(to, request, rejection);
    const creation: Creation = { kind: 'create', key: to.key, request };
    const answer = { status: 'accepted', operation: request.id } as const;
    const taken: AcceptedEvent = { entity: to, event, requestId: request.id, answer };
    // A request that only the store can know starts nothing: an entity that lives, or has ended a while ago, or the store,
    // answers it.
    const recalled = await past.recall(to, request);
    if (!recalled && (await this.#start(to, creation, 'REJECT_DUPLICATE'))) return taken;
    const said = await this.#raiseUnlessEnding(to, request);
    if (said.status !== 'rejected') return { ...taken, answer: said };
    if (said.rejection.code !== 'absent') throw new Rejected(said.rejection);
    // The entity was deleted and had not had this request. It is created again, with the request ids of its last life. S1.3
    const inherits = await readLastLife(this.#options.client, to);
    const again = { ...creation, again: true, ...(inherits && { inherits }) };
    if (await this.#start(to, again, 'ALLOW_DUPLICATE')) return taken;
    return { ...taken, answer: acceptedOf(await batcher.raise(to, request)) };
  }

  /** Checks that what the entity needs exists. S1.1, S6.4 @throws Rejected `no_answer` when no worker answers for that */
  async #refusalWithout(entity: AnyEntity, to: EntityRef, request: RaiseRequest): Promise<Rejection | undefined> {
    const needed = neededBy(entity, to, request.event);
    const refusal = needed && refusalWithout(entity, to, request, await this.#readLiving(needed));
    if (refusal) return refusal;
    const targets = targetsAtBirth(entity, to, request);
    const living = await Promise.all(targets.map((target) => this.#readLiving(target.to)));
    return refusalOfLinks(to, request, targets, living);
  }

  async #readLiving(ref: EntityRef): Promise<Snapshot | undefined> {
    try {
      const { snapshot, gone } = await this.#options.reader.read(ref);
      return gone ? undefined : snapshot;
    } catch (thrown) {
      if (thrown instanceof Rejected && thrown.code === 'absent') return undefined;
      throw thrown;
    }
  }

  /** Raises an event on a living entity. One that was deleted a moment ago has yet to free its key. S1.3 */
  async #raiseUnlessEnding(to: EntityRef, request: RaiseRequest): Promise<Answer> {
    for (const until = Date.now() + ENDS_WITHIN_MS; ;) {
      const answer = await this.#options.batcher.raise(to, request);
      if (answer.status !== 'rejected' || answer.rejection.code !== 'gone' || Date.now() > until) return answer;
      await delay(LOOK_MS);
    }
  }

  /** Starts an entity, unless it exists or, with `REJECT_DUPLICATE`, has existed. Tells whether it was started. */
  async #start(
    to: EntityRef,
    creation: Creation,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE',
  ): Promise<boolean> {
    const { client, taskQueue } = this.#options;
    try {
      await client.workflow.start(to.type, {
        workflowId: entityId(to),
        taskQueue,
        args: [creation],
        workflowIdReusePolicy,
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: `${creation.request?.event ?? 'create'} ${entityId(to)}`,
      });
      return true;
    } catch (thrown) {
      if (thrown instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw thrown;
    }
  }

  async #raiseOnLiving(to: EntityRef, request: RaiseRequest, otherwise: Rejection): Promise<AcceptedEvent> {
    const answer = await this.#options.batcher.raise(to, request);
    if (answer.status === 'rejected' && answer.rejection.code === 'absent') throw new Rejected(otherwise);
    return { entity: to, event: request.event, requestId: request.id, answer: acceptedOf(answer) };
  }
}

/** @throws Rejected */
function acceptedOf(answer: Answer): AcceptedEvent['answer'] {
  if (answer.status === 'rejected') throw new Rejected(answer.rejection);
  return answer;
}

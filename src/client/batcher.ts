/*
 * Group commit: events raised at about the same time on one entity travel together. S4.6
 *
 * batcher.1. Only one batch for an entity is under way. Events that are raised meanwhile join the next one, in order. With two,
 *     each would be half as large, and one of them would be under way whenever the entity goes on in a new run.
 * batcher.2. Each caller gets the answer to its own event, or the error of the batch that carried it.
 * batcher.3. An event because of which its whole batch would be refused joins no batch.
 * batcher.4. An event whose answer is to be held back travels alone, one at a time. Where others are on their way to the
 *     entity, it joins them instead and is answered at once.
 */
import { setImmediate } from 'node:timers/promises';
import { BATCH_BYTES } from '../definition/limits.js';
import { messageOf } from '../definition/thrown.js';
import { eventTooLarge } from '../kernel/index.js';
import { jsonBytes } from '../protocol/size-problem.js';
import type { Rejection } from '../protocol/rejection.js';
import { Rejected } from '../protocol/errors.js';
import type { Answer } from '../protocol/answer.js';
import type { RaiseRequest } from '../protocol/request.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { parseRequests } from '../protocol/parse.js';

const BATCH_EVENTS = 1_000;
type SendBatch = (to: EntityRef, requests: readonly RaiseRequest[]) => Promise<readonly Answer[]>;

interface Raised {
  readonly request: RaiseRequest;
  readonly size: number;
  answered(answer: Answer): void;
  failed(reason: unknown): void;
}

interface Queue {
  readonly to: EntityRef;
  readonly waiting: Raised[];
  underWay: boolean;
}

/** Raises events in batches. */
export class Batcher {
  readonly #send: SendBatch;
  /** The queues of the entities that have an event under way. */
  readonly #queues = new Map<string, Queue>();
  /** The entities to which an event is on its way whose answer is held back. */
  readonly #held = new Set<string>();

  constructor(send: SendBatch) {
    this.#send = send;
  }

  /** @throws Rejected `malformed`, and what sending throws */
  async raise(to: EntityRef, request: RaiseRequest): Promise<Answer> {
    const size = measure(to, request);
    const id = entityId(to);
    if (request.holdMs !== undefined) {
      if (!this.#held.has(id) && !this.#queues.has(id)) return this.#sendAlone(to, request);
      const { holdMs: _, ...joining } = request;
      request = joining;
    }
    const queue = this.#queues.get(id) ?? { to, waiting: [], underWay: false };
    this.#queues.set(id, queue);
    return new Promise((answered, failed) => {
      queue.waiting.push({ request, size, answered, failed });
      // It is not sent at once, so that events that are raised in the same moment come along.
      queueMicrotask(() => this.#flush(queue));
    });
  }

  async #sendAlone(to: EntityRef, request: RaiseRequest): Promise<Answer> {
    const id = entityId(to);
    this.#held.add(id);
    try {
      return (await this.#send(to, [request]))[0]!;
    } finally {
      this.#held.delete(id);
    }
  }

  #flush(queue: Queue): void {
    if (queue.underWay) return;
    if (queue.waiting.length > 0) void this.#dispatch(queue, takeBatch(queue.waiting));
    else this.#queues.delete(entityId(queue.to));
  }

  async #dispatch(queue: Queue, batch: readonly Raised[]): Promise<void> {
    queue.underWay = true;
    try {
      const answers = await this.#send(
        queue.to,
        batch.map(({ request }) => request),
      );
      for (const [index, { answered }] of batch.entries()) answered(answers[index]!);
    } catch (thrown) {
      for (const { failed } of batch) failed(thrown);
    }
    // Callers that were answered just now may raise the next event at once, which then comes along.
    await setImmediate();
    queue.underWay = false;
    this.#flush(queue);
  }
}

function takeBatch(waiting: Raised[]): readonly Raised[] {
  let size = 0;
  const beyond = waiting.findIndex((raised, index) => {
    size += raised.size;
    return index > 0 && (index >= BATCH_EVENTS || size > BATCH_BYTES);
  });
  return waiting.splice(0, beyond < 0 ? waiting.length : beyond);
}

/** The event's share of a batch, in bytes. @throws Rejected `malformed` */
function measure(to: EntityRef, request: RaiseRequest): number {
  const problem = parseRequests([request]);
  if (problem) throw malformed(to, request, problem);
  const [bytes, tooLarge] = measured(to, request);
  if (tooLarge) throw new Rejected(tooLarge);
  return bytes;
}

/** @throws Rejected `malformed` */
function measured(to: EntityRef, request: RaiseRequest): readonly [number, Rejection | undefined] {
  try {
    return [jsonBytes(request), eventTooLarge(to, request)];
  } catch (thrown) {
    // JSON cannot hold circles and big integers.
    throw malformed(to, request, `params: ${messageOf(thrown)}`);
  }
}

function malformed(to: EntityRef, { event }: RaiseRequest, message: string): Rejected {
  return new Rejected({ code: 'malformed', message, entity: entityId(to), event });
}

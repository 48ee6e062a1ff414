import { setTimeout as delay } from 'node:timers/promises';
import type { Explanation, StuckOne } from '../client/explain/explanation.js';
import { parseEntityId, type EntityRef } from '../protocol/names.js';
import type { Api } from './api/api.js';
import { nameOf, readEntity, type EntityReading, type EntityRepresentation } from './api/entity.js';
import { explanationIfTold } from './api/explanation.js';
import { outcomeOf, type IsOver, type OperationRepresentation } from './api/operation.js';
import { Problem } from './api/problem.js';
import { Unreachable } from './unreachable.js';
import { UsageError } from './usage-error.js';

/** An operation that is followed. */
export interface FollowedOperation {
  /** Its request id. */
  readonly id: string;
  /** Its path, with the entity on which it was opened where that is needed. */
  readonly path: string;
  /** The entity on which it was opened. */
  readonly root: EntityRef;
  /** Tells whether it is followed no further, though it runs. */
  readonly isOver?: IsOver;
}

/** An entity that takes part in an operation, with the ones that it has set to work. */
export interface ProgressNode {
  readonly name: string;
  /** The last reading; none before the first one, or where the caller may not see the entity. */
  readonly entity?: EntityRepresentation;
  readonly gone: boolean;
  readonly successors: readonly ProgressNode[];
}

/** How far an operation is, or how it ended. */
export type Progress =
  | { readonly kind: 'running'; readonly root: ProgressNode; readonly halt: Halt }
  /** It is followed no further: it has ended, or `isOver`. */
  | { readonly kind: 'ended'; readonly root: ProgressNode; readonly operation: OperationRepresentation };

/** Why an operation may not end by itself, or not soon. */
export interface Halt {
  /** Its budget in milliseconds, when it runs for longer. */
  readonly hungMs?: number;
  readonly stuck: readonly StuckOne[];
}

const LOOK_EVERY_MS = 250;
/** Most operations have ended before this time. Others are asked again each time it has passed. */
const ASK_WHY_EVERY_MS = 5_000;
/** The statuses when nothing can be read at the moment, or never by this caller. */
const UNREADABLE = new Set([403, 404, 410, 429, 503]);

/**
 * Follows an operation through its entities until it has ended. An entity that cannot be read at the moment stays as it was.
 */
export async function* followProgress(api: Api, followed: FollowedOperation): AsyncGenerator<Progress> {
  const { path, root, isOver } = followed;
  const tree = new Tree(api, followed.id);
  const outcome = outcomeOf(api, path, isOver).then(
    (operation) => ({ operation }),
    (thrown: unknown) => ({ thrown }),
  );
  const why = new Why(api, path);
  for (;;) {
    const ended = await Promise.race([outcome, delay(LOOK_EVERY_MS)]);
    const seen = await tree.look(root);
    if (ended && 'thrown' in ended) throw ended.thrown;
    if (ended) {
      yield { kind: 'ended', root: seen, operation: ended.operation };
      return;
    }
    yield { kind: 'running', root: seen, halt: why.halt() };
  }
}

/** Asks now and then why an operation does not end. Nothing waits for the answer, which takes long where no worker answers. */
class Why {
  readonly #api: Api;
  readonly #path: string;
  #known: Halt = { stuck: [] };
  #failure: { readonly thrown: unknown } | undefined;
  #askAt = Date.now() + ASK_WHY_EVERY_MS;

  constructor(api: Api, path: string) {
    this.#api = api;
    this.#path = path;
  }

  /** The halt, as far as it is known. @throws unforeseen errors */
  halt(): Halt {
    if (this.#failure) throw this.#failure.thrown;
    if (Date.now() > this.#askAt) {
      this.#askAt = Infinity;
      void this.#ask();
    }
    return this.#known;
  }

  async #ask(): Promise<void> {
    try {
      this.#known = haltOf(await explanationIfTold(this.#api, this.#path)) ?? this.#known;
    } catch (thrown) {
      this.#failure = { thrown };
    }
    this.#askAt = Date.now() + ASK_WHY_EVERY_MS;
  }
}

function haltOf(explanation: Explanation | undefined): Halt | undefined {
  if (!explanation) return undefined;
  const { operation, stuck } = explanation;
  if (operation?.kind !== 'operation' || !operation.hung) return { stuck };
  return { stuck, hungMs: operation.budgetMs ?? 0 };
}

/** Reads an entity and its successors with theirs, whatever operation set them to work. @throws Problem where it cannot be read itself */
export async function readTree(api: Api, ref: EntityRef): Promise<ProgressNode> {
  const root = await new Tree(api).look(ref);
  // Another reading says why there is none.
  if (!root.entity) await readEntity(api, ref);
  return root;
}

/** An entity and its successors with theirs: all of them, or those that take part in an operation. */
class Tree {
  readonly #api: Api;
  readonly #operation: string | undefined;
  readonly #known = new Map<string, ProgressNode>();

  constructor(api: Api, operation?: string) {
    this.#api = api;
    this.#operation = operation;
  }

  /** Reads an entity, and those that it has set to work. */
  async look(ref: EntityRef, above: ReadonlySet<string> = new Set()): Promise<ProgressNode> {
    const name = nameOf(ref);
    const last = this.#known.get(name);
    // A deleted entity does not change any more, and one that stands above already is not read twice.
    if (last?.gone || above.has(name)) return last ?? { name, gone: false, successors: [] };
    const reading = await readIfPossible(this.#api, ref);
    // While an operation is followed, the reading of the store is older than what was seen.
    const usable = reading?.entity.stale && this.#operation !== undefined ? undefined : reading;
    const entity = usable?.entity ?? last?.entity;
    const path = new Set([...above, name]);
    const of = this.#operation;
    const own = (entity?.successors ?? []).filter(({ operation }) => of === undefined || operation === of);
    const next = [...new Set(own.map(({ entity: each }) => each))].flatMap((each) => parseEntityId(each) ?? []);
    const successors = await Promise.all(next.map((successor) => this.look(successor, path)));
    const gone = usable?.gone ?? last?.gone ?? false;
    const node: ProgressNode = { name, ...(entity && { entity }), gone, successors };
    this.#known.set(name, node);
    return node;
  }
}

/** An entity, from the store where no worker answers; nothing when it has not appeared yet, or the caller may not see it. */
async function readIfPossible(api: Api, ref: EntityRef): Promise<EntityReading | undefined> {
  try {
    return await readEntity(api, ref);
  } catch (thrown) {
    if (thrown instanceof Problem && UNREADABLE.has(thrown.status)) return undefined;
    if (thrown instanceof Unreachable || thrown instanceof UsageError) return undefined;
    throw thrown;
  }
}

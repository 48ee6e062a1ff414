import { setTimeout as delay } from 'node:timers/promises';
import type { OperationResult } from '../operations/status.js';
import { Rejected } from '../protocol/errors.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { ReeveClient, Taken } from './client.js';

/** An entity that takes part in an operation, with the ones that it has set to work. */
export interface ProgressNode {
  readonly entity: EntityRef;
  /** The last that was read of it; none before the first time. */
  readonly snapshot?: Snapshot;
  readonly gone: boolean;
  readonly successors: readonly ProgressNode[];
}

/** How far an operation is, or how it ended. */
export type Progress =
  | { readonly kind: 'running'; readonly root: ProgressNode }
  | { readonly kind: 'ended'; readonly root: ProgressNode; readonly result: OperationResult };

const LOOK_EVERY_MS = 250;

/** Follows an operation through its entities until it has ended. What cannot be read at the moment stays as it was. */
export async function* followProgress(reeve: ReeveClient, taken: Taken): AsyncGenerator<Progress> {
  const known = new Map<string, ProgressNode>();
  const result = reeve.operations.result(taken).then(
    (value) => ({ value }),
    (thrown: unknown) => ({ thrown }),
  );
  for (;;) {
    const ended = await Promise.race([result, delay(LOOK_EVERY_MS)]);
    const root = await look(reeve, taken.entity, known, new Set());
    if (ended && 'thrown' in ended) throw ended.thrown;
    if (ended) {
      yield { kind: 'ended', root, result: ended.value };
      return;
    }
    yield { kind: 'running', root };
  }
}

async function look(
  reeve: ReeveClient,
  entity: EntityRef,
  known: Map<string, ProgressNode>,
  above: ReadonlySet<string>,
): Promise<ProgressNode> {
  const id = entityId(entity);
  const last = known.get(id);
  // A deleted entity changes no more, and one that stands above already is not looked at twice.
  if (last?.gone || above.has(id)) return last ?? { entity, gone: false, successors: [] };
  const reading = await readIfPossible(reeve, entity);
  const snapshot = reading?.snapshot ?? last?.snapshot;
  const path = new Set([...above, id]);
  const successors = await Promise.all(
    (snapshot?.successors ?? []).map((successor) => look(reeve, successor, known, path)),
  );
  const node: ProgressNode = {
    entity: { type: entity.type, key: entity.key },
    ...(snapshot && { snapshot }),
    gone: reading?.gone ?? last?.gone ?? false,
    successors,
  };
  known.set(id, node);
  return node;
}

/** Nothing when the entity has not appeared yet, or no worker answers at the moment. */
async function readIfPossible(reeve: ReeveClient, entity: EntityRef) {
  try {
    return await reeve.read(entity);
  } catch (thrown) {
    if (thrown instanceof Rejected && (thrown.code === 'absent' || thrown.code === 'no_worker')) return undefined;
    throw thrown;
  }
}

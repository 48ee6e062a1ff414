import { entityId, parseEntityId, type EntityRef } from '../protocol/names.js';
import type { ServiceParts } from './parts.js';
import type { OperationRepresentation } from './operation-representation.js';
import { isReadable, type Readable } from './readable.js';
import { tenantOfRow } from './tenant-of-row.js';

/** At most so many entities that the store does not know yet are asked themselves. */
const MOST_ASKED = 20;

/**
 * An operation as its reader may see it, without the entities that this reader may not read. Access to `root`, on which it was
 * opened, has been checked already. S6.5
 */
export async function asShownTo(
  readable: Readable,
  parts: Pick<ServiceParts, 'reeve' | 'store'>,
  root: EntityRef,
  operation: OperationRepresentation,
): Promise<OperationRepresentation> {
  if (readable.everything) return operation;
  const { participants, errors, cancel_refusals: refusals } = operation;
  const others = new Set([...participants, ...errors, ...refusals].map(({ entity }) => entity));
  others.delete(entityId(root));
  const shown = await readableOf(parts, readable, [...others]);
  shown.add(entityId(root));
  return {
    ...operation,
    participants: participants.filter(({ entity }) => shown.has(entity)),
    errors: errors.filter(({ entity }) => shown.has(entity)),
    cancel_refusals: refusals.filter(({ entity }) => shown.has(entity)),
  };
}

async function readableOf(
  { reeve, store }: Pick<ServiceParts, 'reeve' | 'store'>,
  readable: Readable,
  names: readonly string[],
): Promise<Set<string>> {
  const refs = names.flatMap((name) => parseEntityId(name) ?? []).filter(({ type }) => readable.types.includes(type));
  if (readable.tenant === undefined) return new Set(refs.map(entityId));
  // Where nobody can tell whose an entity is, it is not shown.
  const rows = (await store?.entities(refs).catch(() => [])) ?? [];
  const owners = new Map(rows.map((row) => [entityId(row), tenantOfRow(row)]));
  const unknown = refs.filter((ref) => !owners.has(entityId(ref))).slice(0, MOST_ASKED);
  const asked = unknown.map(async (ref) => {
    const reading = await reeve.read(ref).catch(() => undefined);
    if (reading) owners.set(entityId(ref), reading.snapshot.tenant);
  });
  await Promise.all(asked);
  const mine = refs.filter(
    (ref) => owners.has(entityId(ref)) && isReadable(readable, ref.type, owners.get(entityId(ref))),
  );
  return new Set(mine.map(entityId));
}

import type { EntityReading } from '../client/entity-reader.js';
import type { AnyEntity } from '../definition/entity.js';
import { Rejected } from '../protocol/errors.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { representEntity, representRow, type EntityRepresentation } from './entity-representation.js';
import { executionOf } from './execution.js';
import { gone } from './gone.js';
import type { Guard } from './guard.js';
import type { ServiceParts } from './parts.js';
import { tenantOfRow } from './tenant-of-row.js';

/**
 * Reads an entity, if it is the caller's. A stream checks this at each look, since the key may have become another tenant's.
 * @throws ProblemError 404; Rejected
 */
export async function readOwn(guard: Guard, { reeve }: ServiceParts, ref: EntityRef): Promise<EntityReading> {
  const reading = await reeve.read(ref);
  guard.own(reading.snapshot.tenant);
  return reading;
}

/** Reads an entity from its workflow, which is the truth. When no worker answers, it comes from the store and says so. S5.2 */
export async function readOrRow(
  guard: Guard,
  parts: ServiceParts,
  entity: AnyEntity,
  ref: EntityRef,
): Promise<EntityRepresentation> {
  try {
    return representEntity(entity, living(parts, entity, await readOwn(guard, parts, ref)).snapshot, Date.now());
  } catch (thrown) {
    return await readRow(guard, parts, entity, ref, thrown);
  }
}

/**
 * The row of an entity for which no worker answers.
 * @param unread what the read has thrown: it is thrown again unless nobody answered
 * @throws ProblemError 404, 410
 */
export async function readRow(
  guard: Guard,
  parts: ServiceParts,
  entity: AnyEntity,
  ref: EntityRef,
  unread: unknown,
): Promise<EntityRepresentation> {
  if (!(unread instanceof Rejected) || unread.code !== 'no_answer') throw unread;
  const row = await parts.store?.entity(ref);
  if (!row) throw unread;
  guard.own(tenantOfRow(row));
  const stuck = row.deleted ? undefined : await parts.reeve.stuck(entityId(ref));
  const represented = representRow(entity, row, stuck);
  if (row.deleted) throw gone(ref, represented);
  return represented;
}

/** @throws ProblemError 410 */
export function living(parts: ServiceParts, entity: AnyEntity, reading: EntityReading): EntityReading {
  const { snapshot } = reading;
  if (!reading.gone) return reading;
  const last = representEntity(entity, snapshot, Date.now());
  throw gone(snapshot, { ...last, ...executionOf(parts, last.id) });
}

import { Rejected } from '../protocol/errors.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { StoreViews } from '../store/index.js';
import type { ServiceContext } from './context.js';
import type { ServiceParts } from './parts.js';
import { ProblemError } from './problem.js';
import { tenantOfRow } from './tenant-of-row.js';

/** The answer about something that was deleted. `last`, how it was, is for those who may read it. S1.3 */
export function gone(ref: EntityRef, last?: unknown): ProblemError {
  const entity = entityId(ref);
  const said = last === undefined ? '' : ' `last` says how it was.';
  return new ProblemError('gone', `${entity} has been deleted.${said}`, {
    entity,
    ...(last !== undefined && { last }),
  });
}

/**
 * Does the work. If that finds nothing, the store tells by its rows what was never there from what ended longer ago than Temporal
 * remembers. S1.3
 * @throws ProblemError 410 when it is theirs, 404 when it is another's; what the work has thrown, when there is no row
 */
export async function orGone<T>(
  context: ServiceContext,
  { store }: ServiceParts,
  ref: EntityRef,
  work: Promise<T>,
  represent?: (row: StoreViews['entities']) => unknown,
): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
    const row = await store?.entity(ref).catch((failure: unknown) => {
      context.var.log.warn({ err: failure }, 'the store could not be queried whether the entity has existed');
      return undefined;
    });
    if (!row) throw thrown;
    context.var.guard.own(tenantOfRow(row));
    throw gone(ref, represent?.(row));
  }
}

import type { StoreRecord } from '../../protocol/records.js';

/** The usual length of a record as JSON, without the parts that can have any length. */
const USUAL_CHARACTERS = 450;

/** The usual length of one call of a transition. */
const CALL_CHARACTERS = 120;

/** The approximate length of a record as JSON. Making the JSON would cost more than everything else up to the write. */
export function sizeOf(record: StoreRecord): number {
  if (record.kind === 'entity') return JSON.stringify(record).length;
  if (record.kind === 'decision') return USUAL_CHARACTERS + (record.rejection?.message.length ?? 0);
  if (record.kind === 'deployment' || record.kind === 'component') {
    return USUAL_CHARACTERS + (record.end?.description.length ?? 0);
  }
  if (record.kind === 'jobs' || record.kind === 'instance') return JSON.stringify(record).length;
  const { error } = record;
  const exception = record.kind === 'event' ? record.exception : undefined;
  const more =
    record.kind === 'transition'
      ? (record.calls?.length ?? 0) * CALL_CHARACTERS + (record.changes ? JSON.stringify(record.changes).length : 0)
      : 0;
  return USUAL_CHARACTERS + more + (error?.message.length ?? 0) + (exception?.stack ?? exception?.message ?? '').length;
}

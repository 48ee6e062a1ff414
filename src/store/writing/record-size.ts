import type { StoreRecord } from '../../protocol/records.js';

/** Of a record as JSON, without what is of any length. */
const USUAL_CHARACTERS = 450;

/** About how long a record is as JSON. Making the JSON costs more than all else until it is written. */
export function sizeOf(record: StoreRecord): number {
  if (record.kind === 'entity') return JSON.stringify(record).length;
  if (record.kind === 'decision') return USUAL_CHARACTERS + (record.rejection?.message.length ?? 0);
  const { error } = record;
  const exception = record.kind === 'event' ? record.exception : undefined;
  return USUAL_CHARACTERS + (error?.message.length ?? 0) + (exception?.stack ?? exception?.message ?? '').length;
}

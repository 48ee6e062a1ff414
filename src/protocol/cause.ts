import type { ErrorRecord } from './error-record.js';

/** Stands in a cause for each part that differs from one occurrence to the next. */
const ANY = '…';

/** The id of an entity, as Reeve's messages write it: `LogicalServer/orders`, also with its life and more. */
const ENTITY = /\b([A-Z]\w*)\/[^\s'"`,;:()<>/]+(?:\/[^\s'"`,;:()<>]+)?(?<![.?!])/gu;
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Gives the cause of an error: the part that it has in common with errors that came about alike. Keys of entities, times and generated ids are
 * left out of its message. S5.5
 * @param entity the entity on which it came: its key may have any characters
 */
export function causeOf({ kind, code, message }: ErrorRecord, entity?: string): ErrorRecord {
  const type = entity?.slice(0, entity.indexOf('/'));
  const known = entity === undefined ? message : message.replaceAll(entity, `${type}/${ANY}`);
  const common = known.replaceAll(ENTITY, `$1/${ANY}`).replaceAll(UUID, ANY).replaceAll(TIME, ANY);
  return { kind, code, message: common };
}

import type { EventRecord } from '../../protocol/records.js';
import { TABLES } from '../names.js';
import { hash53 } from '../hash.js';
import type { Table } from '../writing/table.js';

/** One row for all occurrences of the same exception within an event. */
export const EXCEPTIONS: Table = {
  name: 'exceptions',
  columns: { exception_id: 'bigint', exception: 'text', operation: 'text', life: 'text', event: 'text' },
  key: ['exception_id'],
  newest: [],
  // It is written after its event, which is left out when it never happened.
  offeredWhen: `exists (select from ${TABLES}.events e where e.life = new.life and e.id = new.event)`,
};

/** What an exception says: with the stack, where the worker takes stacks. */
export function exceptionText({ exception }: EventRecord): string | undefined {
  return exception && (exception.stack ?? `${exception.code}: ${exception.message}`);
}

export function exceptionRow({ operation, entity: { life }, id }: EventRecord, exception: string) {
  return { exception_id: hash53(operation, life, id, exception), exception, operation, life, event: id };
}

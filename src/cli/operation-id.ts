import { UsageError } from './usage-error.js';
import type { ListedRow } from './list/page.js';
import { readPage } from './list/page.js';
import { quoted } from './list/condition.js';
import { withStore, type StoreSession } from './store-session.js';

/** The row of an operation, by its integer id or its request id. @throws UsageError when the store has none */
export async function findOperation(store: StoreSession, id: string): Promise<ListedRow<'operations'>> {
  const byRequest = `request_id eq ${quoted(id)}`;
  const condition = isNumber(id) ? `(operation_id eq ${id} or ${byRequest})` : byRequest;
  const query = { conditions: [condition], order: 'operation_id desc', top: 2 };
  const { rows } = await readPage(store, 'operations', query);
  // A request id can look like a number; then the integer id of another operation goes first.
  const found = rows.find(({ operation_id: number }) => String(number) === id) ?? rows[0];
  if (found) return found;
  throw new UsageError(
    `The store knows no operation '${id}'. Give an operation id or a request id, as 'reeve operations list' shows them.`,
  );
}

/** The request id of an operation, which names its workflow; the store is asked only for an integer id. */
export async function requestIdOf(id: string): Promise<string> {
  return isNumber(id) ? withStore(async (store) => (await findOperation(store, id)).request_id) : id;
}

function isNumber(id: string): boolean {
  return /^\d{1,16}$/.test(id);
}

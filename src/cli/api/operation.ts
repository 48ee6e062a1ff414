import type { OperationRepresentation } from '../../service/operation-representation.js';
import { quoted } from '../list/condition.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { readList, type ListedRow } from './list.js';
import { Problem } from './problem.js';

export type { OperationRepresentation } from '../../service/operation-representation.js';

/** The row of an operation, by its integer id or its request id. @throws UsageError when the store has none */
export async function findOperation<Row extends ListedRow<'operations'>>(
  api: Api,
  id: string,
  expand?: string,
): Promise<Row> {
  const ways = [
    `request_id eq ${quoted(id)}`,
    ...(isNumber(id) ? [`operation_id eq ${id}`] : []),
    ...(isShort(id) ? [`endswith(request_id,${quoted(id.replace('…', ''))})`] : []),
  ];
  const condition = ways.length === 1 ? ways[0]! : `(${ways.join(' or ')})`;
  const query = {
    view: 'operations' as const,
    conditions: [condition],
    order: 'operation_id desc',
    top: 2,
    ...(expand !== undefined && { expand }),
  };
  const { rows } = await readList<Row>(api, '/api/operations', query);
  // A request id can look like a number. Then the operation with that integer id goes first.
  const named = rows.find((row) => String(row.operation_id) === id || row.request_id === id);
  const found = named ?? (rows.length === 1 ? rows[0] : undefined);
  if (found) return found;
  if (rows.length > 1) {
    const ids = rows.map((row) => row.request_id).join(', ');
    throw new UsageError(`'${id}' names several operations. Name one of them: ${ids}.`);
  }
  throw new UsageError(
    `There is no operation '${id}' in the store. Give its id, as 'reeve operations list' shows it, or the last 12 characters of that.`,
  );
}

/** The request id of an operation, which names its workflow; the store is asked only for an integer id, or the end of an id. */
export async function requestIdOf(api: Api, id: string): Promise<string> {
  return isNumber(id) || isShort(id) ? (await findOperation(api, id)).request_id : id;
}

/** The path of an operation, by its request id. */
export function pathOfOperation(id: string): string {
  return `/api/operations/${encodeURIComponent(id)}`;
}

/** How far an operation is, from its workflow, or from the store when the workflow is gone. @throws Problem `absent` */
export async function readOperation(api: Api, path: string): Promise<OperationRepresentation> {
  return (await api.ask('GET', path)).body as OperationRepresentation;
}

/** Waits for the end of an operation. `path` is that of its stream. @throws Problem, Unreachable */
export async function outcomeOf(api: Api, path: string): Promise<OperationRepresentation> {
  try {
    for await (const { data, final } of api.follow(streamOf(path), { toBeThere: true })) {
      if (final) return data as OperationRepresentation;
    }
  } catch (thrown) {
    // Its workflow may be gone: then the store knows.
    if (!(thrown instanceof Problem) || thrown.code !== 'absent') throw thrown;
  }
  return readOperation(api, path);
}

/** `/api/operations/1?on=...` with its stream. */
function streamOf(path: string): string {
  const [operation = '', query] = path.split('?');
  return `${operation}/change-stream${query === undefined ? '' : `?${query}`}`;
}

function isNumber(id: string): boolean {
  return /^\d{1,16}$/.test(id);
}

/** Tells whether it may be the end of an id, as a list shows it where there is no more space. */
function isShort(id: string): boolean {
  return /^(…[0-9a-f-]{8,}|[0-9a-f]{12})$/.test(id);
}

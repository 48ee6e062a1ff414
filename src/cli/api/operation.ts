import type { OperationRepresentation } from '../../service/operation-representation.js';
import { distributedNameOf, findInstanceName, isDistributedId } from '../../protocol/distributed-names.js';
import { quoted } from '../../protocol/odata-text.js';
import { insideId, SHORT_ID } from '../explanation/short-id.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { readList, type ListedRow } from './list.js';
import { Problem } from './problem.js';

const ELLIPSIS = '…';

export type { OperationRepresentation } from '../../service/operation-representation.js';

/**
 * The row of an operation, by its request id, its integer id or the end of its request id. The end is looked for only where no
 * operation has the whole id: no index has it.
 * @throws UsageError when the store has none, or several
 */
export async function findOperation<Row extends ListedRow<'operations'>>(
  api: Api,
  id: string,
  expand?: string,
): Promise<Row> {
  const rowsWith = async (condition: string) => {
    const query = { view: 'operations' as const, conditions: [condition], order: 'operation_id desc', top: 2 };
    return (await readList<Row>(api, '/api/operations', { ...query, ...(expand !== undefined && { expand }) })).rows;
  };
  const whole = isCut(id) ? [] : await rowsWith(wholeId(id));
  // A request id can look like a number. Then the operation with that integer id goes first.
  const named = whole.find((row) => String(row.operation_id) === id) ?? whole[0];
  if (named) return named;
  const end = endOf(id);
  const [found, ...others] = end === undefined ? [] : await rowsWith(withEnd(end));
  if (found && others.length === 0) return found;
  if (found) {
    const ids = [found, ...others].map((row) => row.request_id).join(', ');
    throw new UsageError(`'${id}' names several operations. Name one of them: ${ids}.`);
  }
  throw new UsageError(
    `There is no operation '${id}' in the store. Give its id or its end, as 'reeve operations list' shows it.`,
  );
}

/** The request id of an operation, which names its workflow. The store is asked only where no operation has the whole id. */
export async function requestIdOf(api: Api, id: string): Promise<string> {
  const isWhole = !isNumber(id) && (endOf(id) === undefined || (!isCut(id) && (await isThere(api, id))));
  return isWhole ? id : (await findOperation(api, id)).request_id;
}

async function isThere(api: Api, id: string): Promise<boolean> {
  try {
    await readOperation(api, pathOfOperation(id));
    return true;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === 'absent') return false;
    throw thrown;
  }
}

/** The path of an operation, by its request id. */
export function pathOfOperation(id: string): string {
  return `/api/operations/${encodeURIComponent(id)}`;
}

/** How far an operation is, from its workflow, or from the store when the workflow is gone. @throws Problem `absent` */
export async function readOperation(api: Api, path: string): Promise<OperationRepresentation> {
  return (await api.ask('GET', path)).body as OperationRepresentation;
}

/** Gives the name of the operation over partitions that an operation is; nothing where it is another one. */
export function distributedOf({ participants }: Pick<OperationRepresentation, 'participants'>): string | undefined {
  const [{ entity } = { entity: '' }] = participants ?? [];
  const name = isDistributedId(entity) ? distributedNameOf(entity) : '';
  return findInstanceName(name) && name;
}

/** Tells whether there is nothing more to wait for, though an operation runs. */
export type IsOver = (operation: OperationRepresentation) => boolean;

/** Waits for the end of an operation, or until `isOver`. `path` is that of its stream. @throws Problem, Unreachable */
export async function outcomeOf(
  api: Api,
  path: string,
  isOver: IsOver = () => false,
): Promise<OperationRepresentation> {
  try {
    for await (const { data, final } of api.follow(streamOf(path), { toBeThere: true })) {
      const operation = data as OperationRepresentation;
      if (final || isOver(operation)) return operation;
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

function wholeId(id: string): string {
  const byRequest = `request_id eq ${quoted(id)}`;
  return isNumber(id) ? `(${byRequest} or operation_id eq ${id})` : byRequest;
}

function withEnd(end: string): string {
  const byEnd = `endswith(request_id,${quoted(end)})`;
  const inside = insideId(end);
  return inside === undefined ? byEnd : `(${byEnd} or contains(request_id,${quoted(inside)}))`;
}

function isNumber(id: string): boolean {
  return /^\d{1,16}$/.test(id);
}

/** Tells whether a table has cut an id. */
function isCut(id: string): boolean {
  return id.startsWith(ELLIPSIS);
}

/** The end of an id that is meant: as a table shows it, or as much of it or more without the ellipsis. */
function endOf(id: string): string | undefined {
  if (isCut(id)) return id.slice(ELLIPSIS.length);
  return [...id].length >= SHORT_ID && !WHOLE_UUID.test(id) ? id : undefined;
}

/** An id that begins with a whole UUID is no end of another. */
const WHOLE_UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

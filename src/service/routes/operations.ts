import { Rejected } from '../../protocol/errors.js';
import { LONGEST_HOLD_MS } from '../../protocol/request.js';
import { permit, type ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import type { Catalogue } from '../lists/catalogue.js';
import { selectedOf, singleQuery, storedRow } from '../lists/single-read.js';
import { Visible } from '../lists/visible.js';
import type { Item, Query } from '../odata/index.js';
import { operationSchema, pathOfOperation } from '../operation-representation.js';
import { ProblemError } from '../problem.js';
import { findOperation, readOperation, readOperationOrRow, revisionOfOperation } from '../read-operation.js';
import { digestOf } from '../digest.js';
import { bySentId, sentAddress } from '../sent-as.js';
import { operationTarget } from './operation-target.js';
import { onParameter, operationParameter, singleParameters, streamHeaders } from './parameters.js';
import { jsonResponse, responseHeaders, serve, streamResponse, type ServiceApp } from './route.js';

/** Serves long-running operations: reads, change streams and the request to cancel. S4.7, S6.1 */
export function serveOperations(app: ServiceApp, parts: ServiceParts, catalogue: Catalogue): void {
  const { reeve, streams } = parts;
  const model = catalogue.levels.operations;
  const path = '/api/operations/{id}';
  const common = { tag: 'operations', request: { params: operationParameter, query: onParameter } } as const;

  const one = {
    ...common,
    method: 'get',
    path,
    operationId: 'readOperation',
    summary: 'Read an operation',
    description:
      'An operation that has ended can be read without a worker. The fields of the lists, and those of `$expand`, come ' +
      'from the store, with a short delay.',
    request: { params: operationParameter, query: onParameter.extend(singleParameters(model)) },
    responses: {
      200: jsonResponse('The operation.', operationSchema, {
        'Retry-After': 'The seconds after which to read it again, while it runs.',
      }),
    },
    problems: [409],
  } as const;
  serve(app, one, async (context) => {
    const query = singleQuery(context, model);
    const { guard } = context.var;
    const operation = await bySentId(parts, guard, operationTarget(context), (address) => {
      permit(context, { action: 'read', operation: address.id });
      return readOperationOrRow(guard, parts, address);
    });
    const { request_id: id } = operation;
    if (operation.outcome === 'running') context.header('Retry-After', '1');
    context.header('OData-Version', '4.01');
    const known = Object.fromEntries(Object.entries(operation).filter(([, value]) => value !== null));
    const item = { ...operation, ...(await stored(context, id, query)), ...known };
    const about = { '@odata.context': `${catalogue.store.path}/$metadata#operations/$entity` };
    return context.json({ ...about, ...selectedOf(item, query) }, 200);
  });

  const cancel = {
    ...common,
    method: 'post',
    path: `${path}/cancel`,
    operationId: 'cancelOperation',
    summary: 'Ask to cancel an operation',
    description:
      'Each participant handles it as it declares. The outcome shows whether one of them honored the request.',
    responses: {
      202: {
        description: 'The entities have received the request.',
        headers: responseHeaders({ 'Operation-Location': 'The address of the operation.' }),
      },
    },
    problems: [409],
  } as const;
  serve(app, cancel, async (context) => {
    const { guard } = context.var;
    const { found, id, on } = await bySentId(parts, guard, operationTarget(context), async (address) => {
      permit(context, { action: 'cancel', operation: address.id });
      return { ...address, found: await findOperation(guard, parts, address) };
    });
    const canceling = async () => {
      try {
        // An operation that begins has no workflow while somebody waits for its outcome.
        await reeve.operations.cancel(id, found.reading.state === 'beginning' ? 2 * LONGEST_HOLD_MS : 0, found.on);
      } catch (thrown) {
        if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
        const since = await findOperation(guard, parts, { id, on });
        if (since.reading.state === 'beginning') {
          const message = `The operation ${id} is about to begin, and cannot be canceled yet. Try again in a moment.`;
          throw new ProblemError('try_again', message, { operation: id }, { 'Retry-After': '1' });
        }
        throw new ProblemError('already_ended', `The operation ${id} has ended already, so it cannot be canceled.`, {
          operation: id,
        });
      }
    };
    await guard.attempt(canceling());
    context.header('Operation-Location', pathOfOperation(id, found.on));
    return context.body(null, 202);
  });

  const changes = {
    ...common,
    method: 'get',
    path: `${path}/change-stream`,
    operationId: 'followOperation',
    summary: 'Follow an operation by server-sent events',
    description: 'Each `change` is the whole operation, and so is the `end`. The stream resumes after Last-Event-ID.',
    request: { ...common.request, headers: streamHeaders },
    responses: {
      200: streamResponse('The operation, whenever it has changed.', 'Operation'),
      204: { description: 'The end has been seen already.' },
    },
  } as const;
  serve(app, changes, async (context) => {
    const target = operationTarget(context);
    const { id, on } = await sentAddress(parts, context.var.guard, target, (address) =>
      revisionOfOperation(parts, address),
    );
    permit(context, { action: 'read', operation: id });
    return streams.follow(context, {
      revision: () => revisionOfOperation(parts, { id, on }),
      look: async () => {
        const data = await readOperation(context.var.guard, parts, { id, on });
        const hash = digestOf(data);
        const final = data.outcome !== 'running';
        // There is only one end, in whatever words it is told.
        return { id: final ? 'end' : hash, data, final };
      },
    });
  });

  /** Gives what the lists have of the operation. The values are null where the store does not know it yet or cannot be asked. */
  async function stored(context: ServiceContext, id: string, query: Query): Promise<Item> {
    const visible = Visible.to(context.var.guard, 'operations', catalogue.dimensions);
    const row = storedRow(parts, visible, { ...model, only: { request_id: id } }, query).catch((thrown: unknown) => {
      if (query.expand.length > 0) throw thrown;
      context.var.log.warn({ err: thrown }, 'the store could not be queried about the operation');
      return undefined;
    });
    const columns = Object.keys(model.properties).map((name) => [name, null] as const);
    return { ...Object.fromEntries(columns), ...(await row) };
  }
}

import { z } from '@hono/zod-openapi';
import type { ServiceParts } from '../parts.js';
import type { Catalogue } from '../lists/catalogue.js';
import { answerCount, answerList, type List } from '../lists/list-answer.js';
import { countParameters, listHeaders, listParameters, listSchema } from '../lists/list-schema.js';
import { Visible } from '../lists/visible.js';
import { parseQuery, type EntityModel } from '../odata/index.js';
import { ProblemError } from '../problem.js';
import type { ServiceStore } from '../service-store.js';
import type { ServiceContext } from '../context.js';
import { bySentId } from '../sent-as.js';
import { operationParameter } from './parameters.js';
import { jsonResponse, responseHeaders, serve, type Route, type ServiceApp } from './route.js';

const eventParameter = operationParameter.extend({
  event_id: z
    .string()
    .regex(/^\d{1,15}$/, 'is not an event_id')
    .openapi({ type: 'integer', description: 'The id of the event, as the list of events has it.' }),
});

/**
 * Serves everything that the store tells, as lists: of entities by type, and of operations, events and transitions. S5.1, S6.2
 */
export function serveLists(app: ServiceApp, parts: ServiceParts, store: ServiceStore, catalogue: Catalogue): void {
  const { state_machine_events: events, state_machine_transitions: transitions } = catalogue.levels;
  const { dimensions } = catalogue;
  for (const { lists, module } of [...catalogue.modules, catalogue.store]) {
    for (const list of lists) {
      const tag = module ? list.name : 'lists';
      const route = {
        path: `${list.root}/${list.name}`,
        operationId: `list_${list.name}`,
        tag,
        ...describeList(list.model),
      };
      serveList(app, parts, store, route, async (context) => {
        return { list, visible: Visible.to(context.var.guard, list.name, dimensions) };
      });
    }
  }

  const { path: root } = catalogue.store;
  const ofEvent = {
    ...describeList(transitions, { params: eventParameter }),
    path: `${root}/operations/{id}/events/{event_id}/transitions`,
    operationId: 'list_transitions_of_event',
    tag: 'operations',
    summary: 'List the transitions of an event',
    problems: [409],
  } as const;
  serveList(app, parts, store, ofEvent, async (context) => {
    const visible = Visible.to(context.var.guard, 'transitions', dimensions);
    const event_id = Number(context.req.param('event_id'));
    const operation = context.req.param('id')!;
    await bySentId(parts, context.var.guard, { id: operation, on: undefined }, ({ id: request_id }) => {
      const event = { ...events, only: { request_id, event_id } };
      return requireRow(visible, event, `event ${event_id} in the operation ${operation}`);
    });
    const model: EntityModel = { ...transitions, only: { event_id } };
    return { visible, list: { name: 'transitions', root, model } };
  });

  /** @throws ProblemError 404 */
  async function requireRow(visible: Visible, model: EntityModel, name: string): Promise<void> {
    const query = parseQuery({ $select: model.key.join(',') }, model);
    const { items } = await store.list(query, visible, { maxRows: 1, maxExpanded: 0 });
    if (items.length === 0) throw new ProblemError('absent', `The store has no ${name}.`);
  }
}

/** Serves a list, and beneath it the number of its rows: `/api/operations/$count`. S6.2 */
export function serveList(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  route: Route,
  find: (context: ServiceContext) => Promise<{ readonly visible: Visible; readonly list: List }>,
): void {
  serve(app, route, async (context) => {
    const { visible, list } = await find(context);
    return answerList(context, parts, store, visible, list);
  });
  const { params, query } = route.request ?? {};
  const count = {
    ...{ method: 'get', path: `${route.path}/$count`, tag: route.tag },
    operationId: route.operationId.replace('list_', 'count_'),
    summary: route.summary?.replace('List', 'Count'),
    description: 'The number comes from the store, with a short delay.',
    request: { ...(params && { params }), ...(query && { query: countParameters(query) }) },
    responses: {
      200: {
        description: 'The number of rows.',
        content: { 'text/plain': { schema: z.string().openapi({ type: 'integer' }) } },
        headers: responseHeaders({ 'OData-Version': '4.01' }),
      },
    },
    problems: [...(route.problems ?? []), 504],
  } as const satisfies Route;
  serve(app, count, async (context) => {
    const { visible, list } = await find(context);
    return answerCount(context, parts, store, visible, list);
  });
}

type Described = Pick<Route, 'method' | 'summary' | 'description' | 'request' | 'responses'>;

/** The description of a list for the OpenAPI document. */
export function describeList(
  model: EntityModel,
  { params, deleted }: { readonly params?: z.ZodObject; readonly deleted?: 'kept' } = {},
): Described {
  return {
    method: 'get',
    summary: `List ${model.name}`,
    description: 'The rows come from the store, with a short delay. The query options are those of OData 4.01.',
    request: { query: listParameters(model, deleted), headers: listHeaders, ...(params && { params }) },
    responses: { 200: jsonResponse('A page of rows.', listSchema(model), { 'OData-Version': '4.01' }) },
  };
}

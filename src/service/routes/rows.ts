import { z } from '@hono/zod-openapi';
import type { ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import type { Catalogue } from '../lists/catalogue.js';
import { withExecutions } from '../lists/execution-links.js';
import { rowSchema } from '../lists/list-schema.js';
import { addressed, noRow, rowsBeneath } from '../lists/one-row.js';
import { singleQuery } from '../lists/single-read.js';
import type { Visible } from '../lists/visible.js';
import type { EntityModel, Item } from '../odata/index.js';
import type { ServiceStore } from '../service-store.js';
import { singleParameters } from './parameters.js';
import { jsonResponse, serve, type Route, type ServiceApp } from './route.js';
import { aboutMembers, askedOf, listOf, mayBeSeveral, parametersOf, type Way } from './way.js';

/** Serves single rows of what the store tells, where no workflow tells it: `/api/events/12`. S6.2 */
export function serveRows(app: ServiceApp, parts: ServiceParts, store: ServiceStore, catalogue: Catalogue) {
  const root = catalogue.store;
  for (const list of root.lists) {
    const { model, name } = list;
    const { served } = model;
    if (!served || model.live) continue;
    const params = parametersOf(model, served);
    const route = {
      ...describeRow(model, params),
      path: served.path,
      operationId: `read_${name}`,
      tag: 'lists',
      summary: `Read one of ${name}`,
    };
    serve(app, route, async (context) => {
      const { visible, values } = askedOf(context, list, catalogue, served);
      const item = await readRow(context, parts, store, visible, addressed(model, served, values));
      if (!item) throw noRow(model, values);
      return answerRow(context, `${root.path}/$metadata#${name}/$entity`, item);
    });
  }
}

/** Serves one member of a collection that belongs to an entity. S1.2 */
export function serveMember(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
  { list, way, tag }: Way,
): void {
  const target = way.target();
  const served = target.served!;
  const route = {
    ...describeRow(target, parametersOf(target, served)),
    path: served.path,
    operationId: `read_${way.name}_of_${list.name}`,
    tag,
    summary: `Read one of the ${way.name} of a ${list.name}`,
  };
  serve(app, route, async (context) => {
    const { visible, values } = askedOf(context, list, catalogue, served);
    const item = await readRow(context, parts, store, visible, addressed(target, served, values));
    if (!item) throw noRow(target, values);
    return answerRow(context, `${list.root}/$metadata#${aboutMembers(list, values, way)}/$entity`, item);
  });
}

/** Serves the one row to which a navigation leads, or 204 where it leads to none. */
export function serveRelated(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
  { list, way, served, tag }: Way,
): void {
  const { name, model } = list;
  const target = way.target();
  const described = describeRow(target, parametersOf(model, served));
  const route = {
    ...described,
    responses: { ...described.responses, 204: { description: 'There is no such row.' } },
    path: `${served.path}/${way.name}`,
    operationId: `read_${way.name}_of_${name}`,
    tag,
    summary: `Read the ${way.name} of one of ${name}`,
    ...mayBeSeveral(model),
  };
  serve(app, route, async (context) => {
    const { visible, values } = askedOf(context, list, catalogue, served);
    const beneath = await rowsBeneath(context, parts, store, visible, model, { way, served, values });
    const item = await readRow(context, parts, store, visible, beneath);
    if (!item) return context.body(null, 204);
    const to = listOf(catalogue, target);
    return answerRow(context, `${to.root}/$metadata#${to.name}/$entity`, item);
  });
}

async function readRow(
  context: ServiceContext,
  parts: ServiceParts,
  store: ServiceStore,
  visible: Visible,
  model: EntityModel,
): Promise<Item | undefined> {
  const query = singleQuery(context, { ...model, live: {} });
  const { items } = await store.list(query, visible, { maxRows: 1, maxExpanded: parts.settings.expandedRows });
  return withExecutions(parts, query, items)[0];
}

function answerRow(context: ServiceContext, about: string, item: Item): Response {
  context.header('OData-Version', '4.01');
  return context.json({ '@odata.context': about, ...item }, 200);
}

function describeRow(
  model: EntityModel,
  params: z.ZodObject,
): Pick<Route, 'method' | 'description' | 'request' | 'responses'> {
  return {
    method: 'get',
    description: 'The row comes from the store, with a short delay.',
    request: { query: z.object(singleParameters(model)), params },
    responses: {
      200: jsonResponse('The row.', z.unknown().openapi({ ...rowSchema(model) }), { 'OData-Version': '4.01' }),
    },
  };
}

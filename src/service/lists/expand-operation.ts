import type { ServiceContext, ServiceParts } from '../context.js';
import { parseQuery, type Item } from '../odata/index.js';
import { catalogueOf } from './catalogue.js';
import { Visible } from './visible.js';

/**
 * What `$expand` asks for of one operation, as the store has it: `events($expand=transitions)`. Nothing where the store does
 * not know the operation yet. S6.2
 * @throws ODataError; ProblemError 403, 503, 504
 */
export async function expandOperation(context: ServiceContext, parts: ServiceParts, id: string): Promise<Item> {
  const { store, modules, settings } = parts;
  const $expand = context.req.query('$expand');
  if ($expand === undefined || !store) return {};
  const { levels, dimensions } = catalogueOf(modules);
  const query = parseQuery({ $select: 'operation_id', $expand }, { ...levels.operations, only: { request_id: id } });
  const visible = Visible.to(context, 'operations', dimensions);
  const limits = { maxRows: 1, maxExpanded: settings.pageRows[1] };
  const { items } = await store.list(query, visible, limits);
  const { operation_id: _, ...expanded } = items[0] ?? {};
  return expanded;
}

import { parseQuery, type EntityModel, type Navigation, type Served } from '../odata/index.js';
import type { ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { bySentId } from '../sent-as.js';
import type { ServiceStore } from '../service-store.js';
import { belongingTo, ownColumns } from './own-values.js';
import type { Visible } from './visible.js';

/** The names in braces of a path, in their order. */
export function namesIn({ path }: Served): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
}

/** Limits a model to the rows that have the values in a path. */
export function addressed(model: EntityModel, { by }: Served, values: readonly string[]): EntityModel {
  const only = Object.fromEntries(by.map((column, index) => [column, values[index] ?? '']));
  return { ...model, only: { ...model.only, ...only } };
}

/** The answer where no row has these values. */
export function noRow({ name }: EntityModel, values: readonly string[]): ProblemError {
  return new ProblemError('absent', `In ${name}, the store has no row '${values.join('/')}'.`);
}

/**
 * The rows to which a navigation leads from the row that has the values. An operation is also found by what the caller has sent.
 * @throws ProblemError 404, 503, 504
 */
export async function rowsBeneath(
  context: ServiceContext,
  parts: Pick<ServiceParts, 'places'>,
  store: ServiceStore,
  visible: Visible,
  model: EntityModel,
  { way, served, values }: { readonly way: Navigation; readonly served: Served; readonly values: readonly string[] },
): Promise<EntityModel> {
  const target = way.target();
  const beneath = async (named: readonly string[]): Promise<EntityModel> => {
    const query = parseQuery({ $select: ownColumns(way).join(',') }, addressed(model, served, named));
    const { items } = await store.list(query, visible, { maxRows: 1, maxExpanded: 0 });
    const [item] = items;
    if (!item) throw noRow(model, values);
    return { ...target, only: { ...target.only, ...belongingTo(item, way) } };
  };
  if (model.table !== 'operations') return beneath(values);
  const [id = ''] = values;
  return bySentId(parts, context.var.guard, { id, on: undefined }, (operation) => beneath([operation.id]));
}

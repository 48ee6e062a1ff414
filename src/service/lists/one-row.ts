import { parseQuery, type EntityModel, type Navigation, type Served } from '../odata/index.js';
import { ProblemError } from '../problem.js';
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
  return new ProblemError(404, 'absent', `In ${name}, the store has no row '${values.join('/')}'.`);
}

/** The rows to which a navigation leads from the row that has the values. @throws ProblemError 404, 503, 504 */
export async function rowsBeneath(
  store: ServiceStore,
  visible: Visible,
  model: EntityModel,
  { way, served, values }: { readonly way: Navigation; readonly served: Served; readonly values: readonly string[] },
): Promise<EntityModel> {
  const query = parseQuery({ $select: ownColumns(way).join(',') }, addressed(model, served, values));
  const { items } = await store.list(query, visible, { maxRows: 1, maxExpanded: 0 });
  const [item] = items;
  if (!item) throw noRow(model, values);
  const target = way.target();
  return { ...target, only: { ...target.only, ...belongingTo(item, way) } };
}

import { z } from '@hono/zod-openapi';
import type { ServiceParts } from '../context.js';
import type { Catalogue } from '../lists/catalogue.js';
import { answerList, type List } from '../lists/list-answer.js';
import { belongingTo, ownColumns } from '../lists/own-values.js';
import { Visible } from '../lists/visible.js';
import { parseQuery, type EntityModel, type Item, type Navigation, type Served } from '../odata/index.js';
import { ProblemError } from '../problem.js';
import type { ServiceStore } from '../service-store.js';
import { describeList } from './lists.js';
import { numberText, plainText } from './parameters.js';
import { serve, type ServiceApp } from './route.js';

/**
 * What belongs to one row, beneath it: the events of an operation, the entities to which one leads. It is what `$expand` brings
 * along, and where that goes on when it is too much at once. S5.1, S6.2
 */
export function serveCollections(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
): void {
  for (const { lists, module } of [catalogue.store, ...catalogue.modules]) {
    for (const list of lists) {
      const { model } = list;
      const collections = model.navigation.filter(({ many }) => many);
      for (const way of model.served ? collections : []) {
        const tag = module ? list.name : 'lists';
        serveCollection(app, parts, store, catalogue, { list, way, served: model.served!, tag });
      }
    }
  }
}

interface Collection {
  readonly list: List;
  readonly way: Navigation;
  readonly served: Served;
  readonly tag: string;
}

function serveCollection(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
  { list, way, served, tag }: Collection,
): void {
  const { name, model } = list;
  const target = way.target();
  const names = [...served.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
  const route = {
    ...describeList(target, { params: parametersOf(model, served, names), deleted: 'kept' }),
    path: `${served.path}/${way.name}`,
    operationId: `list_${way.name}_of_${name}`,
    tag,
    summary: `List the ${way.name} of one of ${name}`,
  };
  serve(app, route, async (context) => {
    const visible = Visible.to(context, name, catalogue.dimensions);
    const values = names.map((each) => context.req.param(each)!);
    const item = await readOne(store, visible, model, { way, by: served.by, values });
    const only = { ...target.only, ...belongingTo(item, way) };
    const to = listOf(catalogue, target);
    return answerList(context, parts, store, visible, { ...to, model: { ...target, only }, deleted: 'kept' });
  });
}

/** One row, with what says where it leads. @throws ProblemError 404 */
async function readOne(
  store: ServiceStore,
  visible: Visible,
  model: EntityModel,
  { way, by, values }: { readonly way: Navigation; readonly by: readonly string[]; readonly values: readonly string[] },
): Promise<Item> {
  const only = Object.fromEntries(by.map((column, index) => [column, values[index] ?? '']));
  const one = { ...model, only: { ...model.only, ...only } };
  const query = parseQuery({ $select: ownColumns(way).join(',') }, one);
  const { items } = await store.list(query, visible, { maxRows: 1, maxExpanded: 0 });
  const [item] = items;
  if (item) return item;
  throw new ProblemError(404, 'absent', `The store has none of ${model.name} that is '${values.join('/')}'.`);
}

/** The list of which a collection is a part. */
function listOf({ store, modules }: Catalogue, model: EntityModel): List {
  const lists = [store, ...modules].flatMap((root) => root.lists);
  return lists.find((list) => list.model === model) ?? { name: model.name, root: store.path, model };
}

function parametersOf({ properties }: EntityModel, { by }: Served, names: readonly string[]): z.ZodObject {
  const shape = names.map((name, index) => {
    const kind = properties[by[index] ?? '']?.kind;
    return [name, kind === 'integer' ? numberText : plainText(LONGEST)] as const;
  });
  return z.object(Object.fromEntries(shape));
}

/** Characters of the id of an operation. */
const LONGEST = 900;

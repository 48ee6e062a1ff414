import type { ServiceParts } from '../parts.js';
import type { Catalogue } from '../lists/catalogue.js';
import { rowsBeneath } from '../lists/one-row.js';
import type { ServiceStore } from '../service-store.js';
import { describeList, serveList } from './lists.js';
import type { ServiceApp } from './route.js';
import { serveMember, serveRelated } from './rows.js';
import { aboutMembers, askedOf, listOf, mayBeSeveral, parametersOf, type Way } from './way.js';

/**
 * Serves what belongs to one row, beneath it: the events of an operation, the entities to which a link leads, the members of
 * subordinates. `$expand` adds the same to a row, and links to here when there is too much at once. S5.1, S6.2
 */
export function serveCollections(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
): void {
  for (const { lists, module } of [catalogue.store, ...catalogue.modules]) {
    for (const list of lists) {
      const { served, navigation } = list.model;
      for (const way of served ? navigation : []) {
        const each: Way = { list, way, served: served!, tag: module ? list.name : 'lists' };
        if (way.many) serveCollection(app, parts, store, catalogue, each);
        else serveRelated(app, parts, store, catalogue, each);
        if (way.contained) serveMember(app, parts, store, catalogue, each);
      }
    }
  }
}

function serveCollection(
  app: ServiceApp,
  parts: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
  { list, way, served, tag }: Way,
): void {
  const { name, model } = list;
  const target = way.target();
  const route = {
    ...describeList(target, { params: parametersOf(model, served), deleted: 'kept' }),
    path: `${served.path}/${way.name}`,
    operationId: `list_${way.name}_of_${name}`,
    tag,
    summary: `List the ${way.name} of one of ${name}`,
    ...mayBeSeveral(model),
  };
  serveList(app, parts, store, route, async (context) => {
    const { visible, values } = askedOf(context, list, catalogue, served);
    const beneath = await rowsBeneath(context, parts, store, visible, model, { way, served, values });
    const to = way.contained ? { ...list, about: aboutMembers(list, values, way) } : listOf(catalogue, target);
    return { visible, list: { ...to, model: beneath, deleted: 'kept' } };
  });
}

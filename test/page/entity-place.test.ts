import { expect, it } from 'vitest';
import { placeOfId } from '../../src/page/parts/entity-place.js';

it.each([
  ['LogicalServer/orders', ['entities', 'LogicalServer', 'orders']],
  ['Box/a/b/7', ['entities', 'Box', 'a/b/7']],
  ['distributed/orders.sales/items/buildIndex/3', ['distributed', 'orders.sales/items/buildIndex/3']],
  ['distributed/orders.sales/items', ['distributed']],
  ['buildIndex/orders.sales/items/3/7', ['distributed', 'orders.sales/items/buildIndex/3']],
  ['buildIndex/odd', ['distributed']],
])('%s leads to its view (S6.3)', (id, place) => {
  expect(placeOfId(id)).toEqual(place);
});

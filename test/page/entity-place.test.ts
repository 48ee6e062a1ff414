import { expect, it } from 'vitest';
import { placeOf } from '../../src/page/parts/entity-place.js';

it.each([
  ['LogicalServer', 'orders', ['entities', 'LogicalServer', 'orders']],
  ['Box', 'a/b/7', ['entities', 'Box', 'a/b/7']],
  ['distributed', 'orders.sales/items/buildIndex/3', ['distributed', 'orders.sales/items/buildIndex/3']],
  ['distributed', 'orders.sales/items', ['distributed']],
  ['buildIndex', 'orders.sales/items/3/7', ['distributed', 'orders.sales/items/buildIndex/3']],
  ['buildIndex', 'odd', ['distributed']],
])('%s/%s leads to its view (S6.3)', (type, key, place) => {
  expect(placeOf(type, key)).toEqual(place);
});

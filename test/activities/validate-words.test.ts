import { expect, it } from 'vitest';
import { summaryOf } from '../../activities/tables/validate.js';

const keys = Array.from({ length: 100 }, (_, at) => `${at}`);
const failed = (broken: number) => ({ message: 'of a partition', details: { rows: 500, broken, keys } });

it('rows that break a rule are counted in the error of the operation, which names the first ten (I7)', () => {
  const completing = { results: { 0: failed(400), 1: failed(1_099), 2: { rows: 500 } } } as never;
  expect(summaryOf('orders.sales/line_items', { name: 'named' }, completing)).toBe(
    "orders.sales/line_items: 1499 rows break 'named': 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1489 others; " +
      'the failures of its partitions name more',
  );
});

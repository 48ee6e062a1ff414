import { describe, expect, it } from 'vitest';
import { validate } from '../../activities/tables/operations/validate.js';
import { textOf } from '../../activities/tables/rule.js';

const parsed = (rule: unknown) => validate.argument.safeParse({ name: 'rule', rule });

describe('a rule for rows (I7)', () => {
  it('becomes what PostgreSQL checks, and what finds the rows that break it', () => {
    expect(textOf({ notNull: 'sku' })).toEqual({
      kept: '"sku" IS NOT NULL',
      broken: '"sku" IS NULL',
      columns: ['sku'],
    });
    expect(textOf({ column: 'n', min: 0, max: 1e21 })).toEqual({
      ...{ kept: '"n" >= 0 AND "n" <= 1e+21', broken: '("n" >= 0 AND "n" <= 1e+21) IS FALSE', columns: ['n'] },
    });
    // A row about which the expression says nothing keeps it, as with any CHECK.
    expect(textOf({ check: 'a < b' })).toEqual({ kept: 'a < b', broken: '(a < b) IS FALSE', columns: [] });
  });

  it.each([
    ['a range without an end', { column: 'n' }],
    ['a column that is no name', { notNull: 'n"; DROP TABLE x; --' }],
    ['two rules at once', { notNull: 'n', check: 'n > 0' }],
    ['no number', { column: 'n', min: 'zero' }],
    ['an endless number', { column: 'n', min: Number.POSITIVE_INFINITY }],
    ['an empty expression', { check: '' }],
  ])('is refused with %s (I8)', (_, rule) => {
    expect(parsed(rule).success).toBe(false);
  });
});

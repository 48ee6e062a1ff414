import { describe, expect, it } from 'vitest';
import { formatGrowths, formatNumber, formatRows } from '../../tools/bench/table.js';

describe('the table of the bench', () => {
  it('shows both sides with their spread, the budget and whether it is met', () => {
    const table = formatRows([
      {
        case: 'one-turn',
        figure: 'outcome',
        title: 'one event',
        unit: 'ms',
        raw: { median: 10, low: 9, high: 12 },
        reeve: { median: 11, low: 11, high: 11 },
        ratio: { median: 1.1, low: 1, high: 1.2 },
        budget: { of: 'ratio', atMost: 1.15 },
        met: true,
      },
      {
        case: 'hot-64',
        figure: 'rate',
        title: 'one hot entity',
        unit: '/s',
        reeve: { median: 1234.5, low: 1000, high: 1500 },
        budget: { of: 'reeve', atLeast: 2000 },
        met: false,
      },
    ]);
    expect(table).toBe(
      [
        'what            unit           raw                   Reeve     Reeve / raw     budget',
        'one event         ms  10 (9 to 12)                      11  1.1 (1 to 1.2)  <= 1.15 x      met',
        'one hot entity    /s             -  1,235 (1,000 to 1,500)               -   >= 2,000  NOT MET',
      ].join('\n'),
    );
  });

  it('says where the cost of one grows', () => {
    const costs = [
      { size: 10, value: 5 },
      { size: 1_000, value: 8 },
    ];
    const row = { case: 'a', title: 'each', unit: 'ms', costs, growth: 1.6, flat: false };
    expect(formatGrowths([row])).toContain('5 of 10  8 of 1,000        -     1.6 x  GROWS');
  });

  it('writes three digits that count', () => {
    expect([0, 0.012345, 1.2345, 12.345, 123.45, 12345.6].map(formatNumber)).toEqual([
      '0',
      '0.0123',
      '1.23',
      '12.3',
      '123',
      '12,346',
    ]);
    expect(formatNumber(NaN)).toBe('-');
  });
});

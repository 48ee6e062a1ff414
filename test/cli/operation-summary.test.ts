import { describe, expect, it } from 'vitest';
import { summaryTable, summaryWords } from '../../src/cli/list/operation-summary.js';
import type { OperationCounts, OperationSummary } from '../../src/service/summary/summary-schema.js';

const NONE: OperationCounts = {
  ...{ total: 0, started: 0, running: 0, waiting: 0, hung: 0, finished: 0, succeeded: 0, failed: 0, canceled: 0 },
  ...{ rescheduled: 0, attempts: 0, resumptions: 0, mean_ms: null, p95_ms: null },
};
const create = {
  ...{ ...NONE, group: { name: 'create LogicalServer', region: 'north' }, total: 5, finished: 5 },
  ...{ succeeded: 4, failed: 1, mean_ms: 1_250, p95_ms: 61_000 },
};
const remove = {
  ...{ ...NONE, group: { name: 'delete LogicalServer', region: null }, total: 4, finished: 1 },
  ...{ running: 2, waiting: 1, hung: 1, canceled: 1, mean_ms: 30, p95_ms: 30 },
  ...{ rescheduled: 1, attempts: 2, resumptions: 1 },
};
const all = {
  ...{ ...NONE, total: 9, running: 2, waiting: 1, hung: 1, finished: 6, succeeded: 4, failed: 1, canceled: 1 },
  ...{ rescheduled: 1, attempts: 2, resumptions: 1, mean_ms: 1_000, p95_ms: 59_000 },
};
const summary = (told: Partial<OperationSummary> = {}): OperationSummary => ({
  ...{ from: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z', by: ['name', 'region'] },
  ...{ all, groups: [create, remove] },
  ...told,
});

describe('a summary of operations for people (A4)', () => {
  it('has a line for each group and one for all, and leaves out what there is none of', () => {
    expect(summaryTable(summary(), undefined).split('\n')).toEqual([
      'NAME                  REGION  TOTAL  RUNNING  WAITING  HUNG  SUCCESS  FAILED  CANCELED   MEAN        P95  RESCHEDULED  ATTEMPTS  RESUMPTIONS',
      'create LogicalServer  north       5                                4       1            1.3 s  1 min 1 s',
      'delete LogicalServer  –           4        2        1     1                          1  30 ms      30 ms            1         2            1',
      'all                               9        2        1     1        4       1         1  1.0 s       59 s            1         2            1',
    ]);
    const one = summary({ by: ['name'], groups: [{ ...create, group: { name: 'create LogicalServer' } }] });
    expect(summaryTable(one, undefined).split('\n')).toHaveLength(2);
    expect(summaryTable(one, undefined)).not.toContain('HUNG');
    // Others were not asked for.
    expect(summaryTable({ ...one, more: true }, undefined).split('\n')).toHaveLength(3);
  });

  it('keeps to the width of the terminal, and keeps names as long as it can', () => {
    const lines = summaryTable(summary(), 80).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^NAME +REGION +RUNNING +WAITING +SUCCESS +FAILED +MEAN +P95$/);
    expect(lines[1]).toMatch(/^create LogicalS/);
  });

  it.each<[Partial<OperationCounts>, readonly string[]]>([
    [
      all,
      [
        '9 operations: 2 run, 1 waits (1 hung), 4 succeeded, 1 failed, 1 canceled.',
        '1 rescheduled: 2 further attempts, 1 resumption.',
      ],
    ],
    [{ total: 1, succeeded: 1 }, ['1 operation: 1 succeeded.']],
    [
      { total: 1, running: 1, rescheduled: 1, resumptions: 3 },
      ['1 operation: 1 runs.', '1 rescheduled: 3 resumptions.'],
    ],
    [{ total: null, running: 3, waiting: null, hung: 2, rescheduled: null }, ['3 run (2 hung).']],
  ])('says the counts in words: %j', (counts, words) => {
    expect(summaryWords({ all: { ...NONE, ...counts } })).toEqual(words);
  });
});

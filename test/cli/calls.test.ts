import { expect, it } from 'vitest';
import { formatTable } from '../../src/cli/list/table.js';
import { callColumns, workerOf } from '../../src/cli/commands/calls.js';

it('a call is matched with the nearest one of its action in the history: it names the worker (S5.1)', () => {
  const made = (second: number, worker: string, call = 'shelf.put', action = 'place') => ({
    ...{ call, action, worker, start_time: `2026-01-01T00:00:0${second}.000Z` },
  });
  const calls = [made(1, '1@a'), made(5, '2@b'), made(3, '3@c', 'shelf.take'), made(3, '4@d', 'shelf.put', 'move')];
  const row = (start_time: string) => ({ call_name: 'shelf.put', action_name: 'place', start_time });
  expect(workerOf(row('2026-01-01T00:00:01.012000Z'), calls)).toBe('1@a');
  expect(workerOf(row('2026-01-01T00:00:04.990000Z'), calls)).toBe('2@b');
  expect(workerOf({ ...row('2026-01-01T00:00:01.000Z'), call_name: 'shelf.find' }, calls)).toBeUndefined();
});

it('calls in 80 columns keep their names, keys, workers and callers; an error has a line of its own (S6.3)', () => {
  const row = {
    ...{ start_time: '2026-11-30T07:34:39Z', end_time: '2026-11-30T07:34:39Z', entity_type: 'LogicalServer' },
    ...{ entity_key: 'billing', action_name: 'createResources', call_name: 'databases.forgetAdministrator' },
    ...{ mode: 'activity', worker: '23056@vm', restart_count: 0, error_code: null, error_message: null },
  };
  const failed = {
    error_code: 'no_data_cluster',
    error_message: `There is no data cluster 'nowhere'. Name another one.`,
  };
  const rows = [row, { ...row, ...failed, entity_key: 'demo.shop', '@reeve.caller': 'ann' }];
  const columns = callColumns({ now: Date.parse(row.end_time), utc: true });
  expect(formatTable(columns, rows as never, 80).split('\n')).toEqual([
    'AT        ENTITY         ACTION           CALL                   WORKER     TOOK',
    '07:34:39  Logi…/billing  createResources  ….forgetAdministrator  23056@vm  0.0 s',
    '07:34:39  Lo…/demo.shop  createResources  ….forgetAdministrator  23056@vm  0.0 s',
    '    CALLER  ann',
    "    ERROR  no_data_cluster: There is no data cluster 'nowhere'. Name another",
    '           one.',
  ]);
});

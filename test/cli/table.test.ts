import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventColumns, type ListedEvent } from '../../src/cli/list/event-columns.js';
import {
  formatTable,
  keepEnd,
  keepCaller,
  keepKey,
  keepKeyOfAny,
  keepMember,
  keepWhole,
  oneLine,
  type Cut,
  type TableColumn,
} from '../../src/cli/list/table.js';

interface Row {
  readonly name: string;
  readonly note: string;
}
const columns: readonly TableColumn<Row>[] = [
  { title: 'NAME', text: ({ name }) => name },
  { title: 'NOTE', text: ({ note }) => note, expendable: true },
  { title: 'LENGTH', text: ({ name }) => String(name.length), align: 'right' },
];

describe('a table for people', () => {
  it('shows everything where there is room', () => {
    const rows = [
      { name: 'orders', note: 'new' },
      { name: 'a', note: '' },
    ];
    expect(formatTable(columns, rows)).toBe(
      ['NAME    NOTE  LENGTH', 'orders  new        6', 'a                  1'].join('\n'),
    );
  });

  it('leaves out what can be spared, then cuts off the widest', () => {
    const rows = [{ name: 'a-rather-long-name', note: 'new' }];
    expect(formatTable(columns, rows, 26)).toBe(
      ['NAME                LENGTH', 'a-rather-long-name      18'].join('\n'),
    );
    expect(formatTable(columns, rows, 20)).toBe(['NAME          LENGTH', 'a-rather-lo…      18'].join('\n'));
  });

  it('keeps each row to one line of the width, whatever it holds', () => {
    const row = fc.record({ name: fc.string({ unit: 'binary' }), note: fc.string({ unit: 'binary' }) });
    fc.assert(
      fc.property(fc.array(row), fc.integer({ min: 30, max: 200 }), (rows, width) => {
        const lines = formatTable(columns, rows, width).split('\n');
        expect(lines).toHaveLength(rows.length + 1);
        expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('lets no text give orders to the terminal', () => {
    expect(oneLine('red\u001b[31m\r\nnext\u202eline')).toBe('red [31m next line');
  });
});

describe('what is too wide for a terminal (S6.3)', () => {
  const named: readonly TableColumn<Row>[] = [
    { title: 'ENTITY', text: ({ name }) => name, cut: keepKey },
    { title: 'OPERATION', text: ({ note }) => note, cut: keepEnd },
  ];
  const rows = [
    { name: 'LogicalDatabase/orders.sales', note: '01a22583-1cb3-7361-aaf0-c45727b10038' },
    { name: 'create PartitionedTable/orders.sales/line_items', note: '01a2257e-c288-7c67-abc6-883cc7632dd9' },
  ];

  it('loses of an entity its type and never its key, and of an id its beginning', () => {
    expect(formatTable(named, rows, 60)).toBe(
      [
        'ENTITY                            OPERATION',
        'LogicalDatabase/orders.sales      …b3-7361-aaf0-c45727b10038',
        'create …/orders.sales/line_items  …88-7c67-abc6-883cc7632dd9',
      ].join('\n'),
    );
  });

  it('tells operations on one target apart, and those that one key has started (S2.5)', () => {
    const ids = ['c45727b10038~x_GyQ6Evx_Gy', '883cc7632dd9~x_GyQ6Evx_Gy', '883cc7632dd9~abcdQ6Evabcd'];
    const shown = ids.map((id) => keepEnd.shorten(`0199e3a0-5a61-7361-aaf0-${id}`, 13));
    expect(shown).toEqual(['…7b10038~x_Gy', '…7632dd9~x_Gy', '…7632dd9~abcd']);
    expect(ids.map((id) => keepEnd.shorten(id, 30))).toEqual(ids);
  });

  it.each([1, 20, 40, 80])('shows all of the keys, and twelve characters of the ids, in %i columns', (width) => {
    const shown = formatTable(named, rows, width);
    for (const kept of ['/orders.sales', '/orders.sales/line_items', 'c45727b10038', '883cc7632dd9'])
      expect(shown).toMatch(new RegExp(`${kept}( |$)`, 'm'));
  });
});

describe('what tells rows apart in 80 columns (S6.3)', () => {
  interface Rejected {
    readonly entity: string;
    readonly event: string;
    readonly code: string;
    readonly why: string;
    readonly by: string;
  }
  const named: readonly TableColumn<Rejected>[] = [
    { title: 'ENTITY', text: ({ entity }) => entity, cut: keepKey },
    { title: 'EVENT', text: ({ event }) => event },
    { title: 'CODE', text: ({ code }) => code },
    { title: 'WHY', text: ({ why }) => why },
    { title: 'BY', text: ({ by }) => by, expendable: true },
  ];
  const row: Rejected = {
    ...{ entity: 'LogicalDatabase/orders.sales', event: 'applicationReady', code: 'already_in_progress', by: 'ann' },
    why: 'The database is being created, and this event comes from an application that it does not know any more.',
  };

  it('is whole: first long texts are cut, then types', () => {
    expect(formatTable(named, [row], 80).split('\n')[1]).toBe(
      'L…/orders.sales  applicationReady  already_in_progress  The database is being c…',
    );
    expect(formatTable(named, [row], 60).split('\n')[1]).toContain('…/orders.sales  applicat');
  });

  it('stays whole beside long keys, which get lines of their own', () => {
    interface Moved {
      readonly entity: string;
      readonly action: string;
      readonly states: string;
      readonly by: string;
    }
    const columnsOf: readonly TableColumn<Moved>[] = [
      { title: 'ENTITY', text: ({ entity }) => entity, cut: keepKeyOfAny },
      { title: 'ACTION', text: ({ action }) => action },
      { title: 'STATES', text: ({ states }) => states },
      { title: 'CALLER', text: ({ by }) => by, cut: keepKeyOfAny },
    ];
    const key = 'orders.revenue_of_the_last_quarter_in_the_north';
    const moves = [
      { entity: `LogicalDatabase/${key}`, action: 'createResources', states: 'Creating → Ready', by: 'ann' },
      {
        entity: 'LogicalServer/orders',
        action: 'attachDatabase',
        states: 'Ready → Ready',
        by: `LogicalDatabase/${key}`,
      },
    ];
    const inOneLine = [moves[0]!, { ...moves[1]!, by: 'ann' }];
    expect(formatTable(columnsOf, moves, 80).split('\n')).toEqual([
      'ENTITY                ACTION           STATES            CALLER',
      `LogicalDatabase/${key}`,
      '                      createResources  Creating → Ready  ann',
      'LogicalServer/orders  attachDatabase   Ready → Ready',
      `    CALLER  LogicalDatabase/${key}`,
    ]);
    expect(formatTable(columnsOf, inOneLine, 120).split('\n')).toHaveLength(3);
  });

  it('is the caller of an event, and its error gets a line of its own (S5.1, S6.5)', () => {
    const raised = (more: Partial<ListedEvent>) =>
      ({
        ...{ event_id: 1, state_machine_type: 'LogicalServer', keys: 'demo', event: 'attachDatabase' },
        ...{ event_type: 'raised', start_state: 'Ready', end_state: 'CreatingResources', '@reeve.result': 'success' },
        ...{ start_time: '2026-11-30T07:34:06Z', end_time: '2026-11-30T07:34:06Z', '@reeve.caller': 'root@vm' },
        ...more,
      }) as ListedEvent;
    const failed: Partial<ListedEvent> = {
      ...{
        event: 'failover',
        end_state: 'Ready',
        '@reeve.result': 'failed',
        '@reeve.caller': 'LogicalDatabase/demo.a',
      },
      '@reeve.error': 'no_standby: The server has no standby. Add one first, or restore a backup of the server.',
    };
    const long = { keys: 'revenue_of_the_last_quarter', '@reeve.error': 'too_long' };
    const names = { event: (_: string, event: string) => event, state: (_: string, state: string) => state };
    const table = (width: number) =>
      formatTable(
        eventColumns({ now: Date.UTC(2026, 10, 30, 8), utc: true }, names as never),
        [raised({}), raised(failed), raised(long)],
        width,
      ).split('\n');
    expect(table(80)).toEqual([
      'ENTITY        EVENT           STATES                    STARTED    TOOK  RESULT',
      'Logica…/demo  attachDatabase  Ready → CreatingResourc…  07:34:06  0.0 s  success',
      '    CALLER  root@vm',
      'Logica…/demo  failover        Ready → Ready             07:34:06  0.0 s  failed',
      '    CALLER  LogicalDatabase/demo.a',
      '    ERROR  no_standby: The server has no standby. Add one first, or restore a',
      '           backup of the server.',
      'LogicalServer/revenue_of_the_last_quarter  CALLER  root@vm',
      '              attachDatabase  Ready → CreatingResourc…  07:34:06  0.0 s  success',
      '    ERROR  too_long',
    ]);
    for (const width of [80, 120])
      expect(Math.max(...table(width).map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(table(200)).toHaveLength(4);
  });

  it('gets back what a caller in a line of its own has left', () => {
    const columnsOf: readonly TableColumn<Row>[] = [
      { title: 'ENTITY', text: ({ name }) => name, cut: keepKeyOfAny },
      { title: 'STATES', text: () => 'Absent → Ready', cut: keepWhole },
      { title: 'CALLER', text: ({ note }) => note, cut: keepCaller },
    ];
    const rows = [{ name: 'LogicalDatabase/demo.archive', note: 'LogicalServer/demo.archive' }];
    expect(formatTable(columnsOf, rows, 40).split('\n')).toEqual([
      'ENTITY                    STATES',
      'LogicalDat…/demo.archive  Absent → Ready',
      '    CALLER  LogicalServer/demo.archive',
    ]);
  });

  it('is not left out for the sake of a long text', () => {
    expect(formatTable(named, [row], 120).split('\n')[1]).toBe(
      'LogicalDatabase/orders.sales  applicationReady  already_in_progress  The database is being created, and this event…  ann',
    );
  });

  it('is the name of an operation over partitions, and the key of one of its jobs', () => {
    const shown = (text: string, way: Cut) =>
      formatTable([{ title: 'NAME', text: (each: string) => each, cut: way }], [text], 20).split('\n')[1];
    expect(shown('orders.sales/line_items/buildIndex/12', keepKey)).toBe('orders.sales/line_items/buildIndex/12');
    expect(shown('buildIndex distributed/orders.sales/line_items', keepKey)).toBe(
      'buildIndex …/orders.sales/line_items',
    );
    expect(shown('buildIndex/orders.sales/line_items/12/7', keepKeyOfAny)).toBe('…/orders.sales/line_items/12/7');
  });

  it('is the action or event of a type', () => {
    const columnsOf = (title: string) => [{ title, text: (each: string) => each, cut: keepMember }];
    expect(formatTable(columnsOf('NAME'), ['LogicalServer.applicationReady', 'create LogicalDatabase'], 24)).toBe(
      ['NAME', 'Logica….applicationReady', 'create LogicalDatabase'].join('\n'),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTable, keepEnd, keepKey, oneLine, type TableColumn } from '../../src/cli/list/table.js';

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

  it.each([1, 20, 40, 80])('shows all of the keys, and twelve characters of the ids, in %i columns', (width) => {
    const shown = formatTable(named, rows, width);
    for (const kept of ['/orders.sales ', '/orders.sales/line_items', 'c45727b10038', '883cc7632dd9'])
      expect(shown).toContain(kept);
  });
});

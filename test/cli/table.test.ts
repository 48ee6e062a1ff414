import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTable, oneLine, type TableColumn } from '../../src/cli/list/table.js';

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

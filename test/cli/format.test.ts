import { Command } from 'commander';
import { expect, it } from 'vitest';
import {
  addFormatOption,
  formatted,
  isForPrograms,
  tableWidth,
  takeFormat,
  type FormatOptions,
} from '../../src/cli/format.js';
import { yamlOf } from '../../src/cli/yaml.js';

it.each([
  ['table', { json: false, isForPrograms: false }],
  ['wide', { json: false, isForPrograms: false }],
  ['name', { json: true, isForPrograms: false }],
  ['json', { json: true, isForPrograms: true }],
  ['yaml', { json: true, isForPrograms: true }],
] as const)('-o %s chooses a table or a document, and errors for people or programs (S6.3)', (format, chosen) => {
  const { json = false } = takeFormat<FormatOptions>({ format });
  expect({ json, isForPrograms: isForPrograms() }).toEqual(chosen);
  if (format === 'wide') expect(tableWidth()).toBeUndefined();
  expect(takeFormat({ json: true })).toEqual({ json: true });
  expect(isForPrograms()).toBe(true);
});

it('-o name prints what other commands take, a line for each (S6.3)', () => {
  takeFormat({ format: 'name' });
  const items = [
    { type: 'Box', key: 'a,b', name: 'else' },
    { entity_type: 'Box', entity_key: 'c', error_id: 7 },
    { request_id: '01a2', name: 'create Box/a' },
    { name: 'nightly' },
    { event_id: 12 },
    { other: true },
  ];
  expect(formatted({ items, next: 't' })).toBe('Box/a,b\nBox/c\n01a2\nnightly\n12\n{"other":true}');
  expect(formatted({ items: [] })).toBe('');
  expect(formatted(items[0])).toBe('Box/a,b');
});

it('-o yaml prints the document of --json (S6.3)', () => {
  const document = {
    items: [
      { key: 'orders.sales', none: null, empty: [], at: '2026-11-21T14:03:21.000Z', 'a b': { deep: [1, true, 'no'] } },
      [['nested'], 'two\nlines', '- x', 'a: b', '# c', ''],
    ],
  };
  expect(yamlOf(document)).toBe(`items:
  - key: orders.sales
    none: null
    empty: []
    at: "2026-11-21T14:03:21.000Z"
    a b:
      deep:
        - 1
        - true
        - "no"
  - - - nested
    - "two\\nlines"
    - "- x"
    - "a: b"
    - "# c"
    - ""
`);
  expect([yamlOf('text'), yamlOf({}), yamlOf(undefined)]).toEqual(['text\n', '{}\n', 'null\n']);
});

it('every command with --json takes -o too, at any depth (S6.3)', () => {
  const program = new Command('reeve');
  const list = program.command('operations').command('list').option('--json');
  const diagram = program.command('diagram');
  addFormatOption(program);
  const taken = [list, diagram].map((command) => command.options.map(({ short }) => short).includes('-o'));
  expect(taken).toEqual([true, false]);
});

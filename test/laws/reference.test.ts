import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { errorEntry, errorPage } from '../../src/protocol/error-codes/index.js';
import { apiPages } from '../../tools/reference/api.js';
import { commandPages } from '../../tools/reference/commands.js';
import { readDeclarations } from '../../tools/reference/declarations-of-types.js';
import { httpPages } from '../../tools/reference/http.js';
import { wrongCommands } from '../../tools/reference/shown-commands.js';
import { strayMetrics } from '../../tools/reference/stray-metrics.js';
import { strayVariables } from '../../tools/reference/variables.js';
import { strayColumns } from '../../tools/reference/views.js';
import { strayCodes } from '../../tools/reference/written-codes.js';

const GROUPS = { Some: { known: { meaning: '', cause: '', remedy: '' } } };

it.each([
  [`const refusal = { code: 'unheard_of', message };`],
  [`throw new Defect('unheard_of', message);`],
  [`throw new CallFailed(call, 'unheard_of', message);`],
  [`const error = { code: isOver ? 'known' : 'unheard_of' };`],
  [`const code = isOver ? 'known' : 'unheard_of';`],
  [`class Wrong extends Error { readonly code = 'unheard_of' }`],
  [`const CODE = 'unheard_of'; throw new Defect(CODE, message);`],
  [`throw ApplicationFailure.create({ type: 'unheard_of', message });`],
])('a code without an entry is found with its place: %s', (line) => {
  const [problem, ...others] = strayCodes(new Map([['src/a.ts', `// known\n${line}`]]), GROUPS);
  expect(problem).toMatch(/^src\/a\.ts:2: the code 'unheard_of' has no entry/);
  expect(others).toEqual([]);
});

it('an entry that nothing uses is found', () => {
  expect(strayCodes(new Map([['src/a.ts', '']]), GROUPS)).toEqual([
    expect.stringContaining(`nothing uses the code 'known'`),
  ]);
});

it('a code of an entity has no page, also where it is called like a member of every object', () => {
  expect([errorPage('gone'), errorPage('no_stock'), errorEntry('constructor')]).toEqual([
    '/guide/reference/errors/gone',
    undefined,
    undefined,
  ]);
});

function shop(): Command {
  const program = new Command('shop').option('--queue <name>', 'where it works');
  const orders = program.command('orders').description('work with orders');
  orders
    .command('list')
    .description('list them')
    .option('--top <rows>', 'how many', '50')
    .addHelpText('after', 'Examples:');
  orders.command('hidden', { hidden: true });
  program.command('sell').description('sell a thing').argument('<thing>', 'its name');
  return program;
}

it('each command has its arguments, options, defaults and examples on a page', () => {
  const [list, orders, sell, ...more] = commandPages(shop()).pages;
  expect(more).toEqual([]);
  for (const part of ['reeve orders', '[`shop orders list`](orders.md#shop-orders-list)', '`--queue <name>`']) {
    expect(list!.text).toContain(part);
  }
  for (const part of ['## shop orders list', 'List them.', '| `--top <rows>` | how many | `50` |', 'Examples:']) {
    expect(orders!.text).toContain(part);
  }
  expect(orders!.text).not.toContain('hidden');
  expect(sell!.text).toContain('| `thing` | its name |');
});

it.each([
  ["'reeve orders list --top 3'", []],
  ['`reeve orders list --queue a`', []],
  ['`reeve sell THING`', []],
  ["'reeve orders show ID'", ["a.md: 'reeve orders show ID' has no command 'show'."]],
  ['`reeve sell THING --twice`', ["a.md: 'reeve sell THING --twice' has no option --twice."]],
])('a command that a text shows is one that there is: %s', (text, problems) => {
  expect(wrongCommands('a.md', `Run ${text}.`, shop())).toEqual(problems);
});

it('each call over HTTP has its parameters, body, responses and failures on a page', () => {
  const string = { type: 'string' };
  const { pages } = httpPages({
    info: {},
    paths: {
      '/shops/{name}': {
        post: {
          ...{ tags: ['shops'], summary: 'Open a shop', security: [{}] },
          parameters: [{ name: 'name', in: 'path', required: true, schema: string, description: 'Its name.' }],
          requestBody: { content: { 'application/json': { schema: { properties: { size: { enum: [1, 2] } } } } } },
          responses: {
            201: {
              description: 'It is open.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Shop' } } },
            },
            409: { description: 'It exists.', content: { 'application/problem+json': {} } },
          },
        },
      },
    },
    components: { schemas: { Shop: { properties: { name: string }, required: ['name'] } } },
  });
  const textOf = (path: string) => pages.find((page) => page.path === path)?.text;
  expect(textOf('http/index.md')).toContain('[`POST /shops/{name}`](shops.md#post-shopsname)');
  expect(textOf('http/index.md')).toContain('| 409 | It exists. |');
  expect(textOf('http/schemas.md')).toContain('| `name` | string |');
  for (const part of [
    '## `POST /shops/{name}`',
    '| `name` | path, required | string | Its name. |',
    '| `size`, optional | `1`, `2` |',
    '| 201 | [Shop](schemas.md#shop) | It is open. |',
    'Failures](index.md#failures): 409.',
  ]) {
    expect(textOf('http/shops.md')).toContain(part);
  }
});

it('a variable, a metric, a view or a column without an entry is found', () => {
  const known = { of: 'all', sets: '' } as const;
  const variables = (text: string) => strayVariables(new Map([['src/a.ts', text]]), { Some: { REEVE_A: known } });
  expect(variables(`env['REEVE_A']`)).toEqual([]);
  expect(variables(`env['REEVE_A'] ?? process.env['NEW_ONE']`)).toEqual([
    expect.stringContaining('src/a.ts: the variable NEW_ONE has no entry'),
  ]);
  expect(variables('')).toEqual([expect.stringContaining('nothing reads REEVE_A')]);
  expect(strayMetrics(new Map([['src/a.ts', 'new Gauge({ name })']]))).toHaveLength(1);
  const views = [{ name: 'a', columns: { b: 1, c: 1 } }];
  expect(strayColumns(views, { a: '' }, { b: '', c: '' })).toEqual([]);
  expect(strayColumns(views, { d: '' }, { b: '' })).toHaveLength(3);
});

it('each export has its code, its members and its docstring on one page, and one without a docstring is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-reference-'));
  const files = {
    'src/all.d.ts': `export { open, type Shop } from './client.js';`,
    'src/client.d.ts': `
      /** A shop. S1.1 */
      export interface Shop extends Place {
        /** How many it has, in pieces. */
        readonly stock?: number;
        sell(thing: import("./thing.js").Thing): Promise<void>;
      }
      /**
       * Opens a shop (S1.5).
       * @param name as people say it
       * @throws RangeError when it is open
       */
      export declare function open(name: string): Shop;
      export declare const CLOSED: 3;`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { pages, problems } = apiPages(
    readDeclarations({ '.': join(folder, 'src/all.js'), './client': join(folder, 'src/client.js') }),
  );
  await rm(folder, { recursive: true });
  expect(problems).toEqual([expect.stringMatching(/client\.ts: 'CLOSED' of reeve\/client has no docstring/)]);
  const [, all, client] = pages;
  expect(all!.text).toContain('| `open` | [`reeve/client`](client.md#open) |');
  for (const part of [
    'A shop.\n',
    'interface Shop extends Place {}',
    '| `stock`, optional | `number` | How many it has, in pieces. |',
    '| `sell()` | `(thing: Thing): Promise<void>` |',
    'Opens a shop.\n',
    'function open(name: string): Shop;',
    '| `name` | as people say it |',
    'Throws RangeError when it is open.',
    'const CLOSED: 3;',
  ]) {
    expect(client!.text).toContain(part);
  }
});

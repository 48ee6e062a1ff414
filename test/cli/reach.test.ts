import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/cli/api/api.js';
import { Problem } from '../../src/cli/api/problem.js';
import { readReach } from '../../src/cli/api/reach.js';
import { byType } from '../../src/cli/explanation/reach/by-type.js';
import { reachLines } from '../../src/cli/explanation/reach/reach-words.js';
import { NamesForPeople } from '../../src/cli/names-for-people.js';
import { describeEntity } from '../../src/definition/describe.js';
import { controlPlaneModule } from '../../workflows/definitions.js';

const items = controlPlaneModule.entities.map((each) => ({ ...describeEntity(each), path: `/api/${each.name}` }));
const server = {
  ...{ id: 'LogicalServer/orders', type: 'LogicalServer', key: 'orders', state: 'Ready' },
  successors: [
    { entity: 'Alias/orders', state: 'Ready', rejected: null },
    { entity: 'DnsRecord/orders', state: 'Absent', rejected: 'constraint_violated' },
    { entity: 'SqlApplication/orders', state: 'Deleted', rejected: null },
    { entity: 'DatabaseService/orders', state: 'absent', rejected: 'absent' },
  ],
};
const database = {
  ...{ id: 'LogicalDatabase/orders.a', type: 'LogicalDatabase', key: 'orders.a', state: 'Ready' },
  successors: [{ entity: 'SqlApplication/orders.a', state: 'Ready', rejected: null }],
};
const rejection = { code: 'busy', message: 'It scales.' };

/** A service with one server, to which two databases link. */
function service(
  events: readonly object[],
  linking: () => unknown = () => ({ value: [{ key: 'orders.a' }], '@odata.count': 2 }),
  successors: readonly object[] = server.successors,
) {
  const answers: Readonly<Record<string, () => unknown>> = {
    '/docs/types.json': () => Object.fromEntries(items.map(({ name, path }) => [name, { path }])),
    '/api/types': () => ({ items }),
    '/api/LogicalServer/orders': () => ({ ...server, successors }),
    '/api/LogicalDatabase/orders.a': () => database,
    '/api/LogicalServer/orders/allowed-events': () => ({ events }),
  };
  const asked: string[] = [];
  const ask = async (method: string, path: string) => {
    asked.push(`${method} ${path.split('?')[0]}`);
    const isDatabases = path.startsWith("/api/LogicalDatabase?$filter=links%2Fserver%20eq%20'orders'");
    return { body: isDatabases ? linking() : (answers[path]?.() ?? { state: 'Ready', successors: [], value: [] }) };
  };
  return { api: { ask } as unknown as Api, asked };
}

describe('the reach of an event (S6.3)', () => {
  it('names what a delete ends: successors, and entities that link to it; nothing is raised', async () => {
    const { api, asked } = service([{ event: 'delete', allowed: true }]);
    const reach = await readReach(api, { type: 'LogicalServer', key: 'orders' }, 'delete');
    expect(reach).toMatchObject({ entity: 'LogicalServer/orders', allowed: true, ends: true, undeclared: [] });
    expect(reach.types.find(({ type }) => type === 'LogicalDatabase')).toEqual({
      type: 'LogicalDatabase',
      events: [{ event: 'deleteWithServer', ends: true, creates: false }],
      ...{ successors: [], linking: ['LogicalDatabase/orders.a'], more: 1 },
    });
    const lines = reachLines(reach, new NamesForPeople(new Map())).map(stripVTControlCharacters);
    expect(lines.slice(0, 8)).toEqual([
      'LogicalServer/orders  delete, while it is Ready',
      '  would be accepted',
      '  ends LogicalServer/orders',
      '',
      'It may raise events on others:',
      '  LogicalDatabase: deleteWithServer  ends it',
      '    LogicalDatabase/orders.a  links to it',
      '    and 1 more',
    ]);
    expect(lines).toEqual(expect.arrayContaining(['  Alias: delete  ends it', '    Alias/orders']));
    // No entity is named that does not exist, and no type of which there is none.
    expect(lines.join('\n')).not.toMatch(/DnsRecord|DatabaseService|SqlApplication\/orders$/m);
    expect(asked.every((each) => each.startsWith('GET '))).toBe(true);
  });

  it('follows what is ended to what that ends in turn', async () => {
    const { api } = service([{ event: 'delete', allowed: true }]);
    const reach = await readReach(api, { type: 'LogicalServer', key: 'orders' }, 'delete');
    expect(reach.further).toBe(false);
    const lines = reachLines(reach, new NamesForPeople(new Map())).map(stripVTControlCharacters);
    const turn = lines.indexOf('In turn, LogicalDatabase/orders.a (deleteWithServer) may raise events on others:');
    expect(lines.slice(turn + 1, turn + 4)).toEqual([
      '  SqlApplication: create  creates one',
      '  SqlApplication: delete  ends it',
      '    SqlApplication/orders.a',
    ]);
  });

  it('stops at 100 entities, and says that there may be more', async () => {
    const successors = Array.from({ length: 120 }, (_, index) => ({
      ...{ entity: `Alias/a${index}`, state: 'Ready', rejected: null },
    }));
    const { api, asked } = service([{ event: 'delete', allowed: true }], undefined, successors);
    const reach = await readReach(api, { type: 'LogicalServer', key: 'orders' }, 'delete');
    expect(reach.further).toBe(true);
    expect(asked.filter((each) => each.startsWith('GET /api/Alias/a'))).toHaveLength(99);
    expect(reachLines(reach, new NamesForPeople(new Map())).join('\n')).toContain('More may be ended in turn');
  });

  it('tells that it would be rejected now, and that the store could not be asked', async () => {
    const away = () => {
      throw new Problem(503, 'store_unavailable', 'away');
    };
    const { api } = service([{ event: 'delete', allowed: false, rejection }], away);
    const reach = await readReach(api, { type: 'LogicalServer', key: 'orders' }, 'delete');
    const text = stripVTControlCharacters(reachLines(reach, new NamesForPeople(new Map())).join('\n'));
    expect(text).toContain('  would be rejected: busy: It scales.\n');
    expect(text).toContain('    the store could not be asked for those that link to it\n');
  });

  it('tells what links to the ended and stays, what is awaited from outside, and what runs over partitions', async () => {
    const table = { key: 'orders.a/items' };
    const answers: Readonly<Record<string, readonly object[]>> = {
      '/api/PartitionedTable': [table],
      '/api/pending_callbacks': [
        { entity_type: 'LogicalDatabase', entity_key: 'orders.a', call_name: 'approvals.ask', event: null },
      ],
      '/api/distributed': [
        { name: 'orders.a/items/buildIndex/3', target: table.key, state: 'running' },
        { name: 'orders.a/items/check/1', target: table.key, state: 'ended' },
        { name: 'b.x/items/buildIndex/1', target: 'b.x/items', state: 'running' },
      ],
    };
    const { api } = service([{ event: 'delete', allowed: true }]);
    const paths: string[] = [];
    const ask: Api['ask'] = async (method, path, options) => {
      paths.push(decodeURIComponent(path));
      const value = answers[path.split('?')[0]!];
      return value ? { ...(await api.ask(method, path, options)), body: { value } } : api.ask(method, path, options);
    };
    const reach = await readReach({ ...api, ask }, { type: 'LogicalServer', key: 'orders' }, 'delete');
    expect(reach).toMatchObject({
      left: [{ type: 'PartitionedTable', entities: ['PartitionedTable/orders.a/items'], more: 0 }],
      answers: [{ entity: 'LogicalDatabase/orders.a', of: 'approvals.ask' }],
      distributed: ['orders.a/items/buildIndex/3'],
      partly: false,
    });
    expect(paths.find((path) => path.startsWith('/api/PartitionedTable'))).toContain(
      "$filter=links/databases/any(k:k in ('orders.a'))",
    );
    const lines = reachLines(reach, new NamesForPeople(new Map())).map(stripVTControlCharacters);
    expect(lines.slice(lines.indexOf('These link to what is ended, get no event, and stay:'))).toEqual([
      ...['These link to what is ended, get no event, and stay:', '  PartitionedTable/orders.a/items', ''],
      ...['These answers from outside are awaited by what is ended:', '  LogicalDatabase/orders.a: approvals.ask', ''],
      ...['These operations over partitions run there:', '  orders.a/items/buildIndex/3'],
    ]);
  });

  it('gathers all levels by type: what is ended first, then the largest, without what may be created', async () => {
    const { api } = service([{ event: 'delete', allowed: true }]);
    const groups = byType(
      await readReach(api, { type: 'LogicalServer', key: 'orders' }, 'delete'),
      'LogicalServer/orders',
    );
    const shown = groups.map(({ type, ends, entities, more }) => [type, ends, entities.length + more]);
    expect(shown.slice(0, 3)).toEqual([
      ['LogicalDatabase', true, 2],
      ['Alias', true, 1],
      ['SqlApplication', true, 1],
    ]);
    // That it is told of what it ends itself is of no interest.
    expect(shown.map(([type]) => type)).not.toContain('LogicalServer');
    expect(groups.flatMap(({ events }) => events)).not.toContain('create');
  });

  it('refuses an event that the type does not have', async () => {
    const asked = readReach(service([]).api, { type: 'LogicalServer', key: 'orders' }, 'delet');
    await expect(asked).rejects.toThrow(/has no event 'delet'\. Did you mean 'delete'\?/);
  });
});

import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { operation } from './records.js';
import { ask, useServer } from './server.js';

const server = useServer();

function open(url: string, dimensions: readonly string[], warnings: string[] = []) {
  const store = openStore({ url, dimensions, warn: (message) => warnings.push(message) });
  onTestFinished(() => store.close());
  return store;
}

const columns = (url: string) =>
  ask(url, `select table_name, column_name from information_schema.columns where table_schema = 'reeve' order by 1, 2`);

describe('migrations', () => {
  it('can be repeated, and done by several processes at once (S5.2)', async () => {
    const url = await server.database();
    const stores = Array.from({ length: 5 }, () => open(url, ['zone']));
    await Promise.all(stores.map((store) => store.migrate()));
    const before = await columns(url);
    await stores[0]?.writer.keep([operation('o')]);
    await stores[1]?.migrate();
    expect(await columns(url)).toEqual(before);
    expect(await stores[2]?.reader.selectFrom('operations').select('request_id').execute()).toEqual([
      { request_id: 'o' },
    ]);
  });

  it('make a column and an index of each dimension, and remove those that are declared no more (S1.1, S5.1)', async () => {
    const url = await server.database();
    const [first, second] = [open(url, ['zone', 'cluster']), open(url, ['cluster', 'tenant'])];
    await first.migrate();
    await first.writer.keep([operation('o', { dimensions: { zone: 'north', cluster: 'c1', tenant: 'acme' } })]);
    const read = () => ask(url, 'select * from reeve.operations');
    expect((await read())[0]).toMatchObject({ zone: 'north', cluster: 'c1' });
    await second.migrate();
    const [row] = await read();
    expect(row).toMatchObject({ cluster: 'c1', tenant: 'acme' });
    expect(row).not.toHaveProperty('zone');
    const indexes = await ask(
      url,
      `select indexdef from pg_indexes where schemaname = 'reeve_data' and indexname like 'dimension\\_operations%'`,
    );
    expect(indexes.map(({ indexdef }) => /'(\w+)'/.exec(String(indexdef))?.[1]).sort()).toEqual(['cluster', 'tenant']);
  });

  it('say what to do with the tables of another version (S5.2)', async () => {
    const url = await server.database();
    await open(url, []).migrate();
    await ask(url, 'drop schema reeve cascade');
    await ask(url, 'alter table reeve_data.transitions drop column outcome');
    await expect(open(url, []).migrate()).rejects.toThrow(
      /not those of this version: column .*outcome.* does not exist. Drop the schemas 'reeve' and 'reeve_data'.*reeve store rebuild/,
    );
  });

  it('refuse a dimension with the name of a column (S5.1)', async () => {
    const store = open(await server.database(), ['outcome']);
    await expect(store.migrate()).rejects.toThrow(/'outcome' has the name of a column of the view reeve.operations/);
  });

  it('have what was written before wait for them (S5.2)', async () => {
    const store = open(await server.database(), []);
    store.writer.offer([operation('early')]);
    await expect(store.writer.keep([operation('too early')])).rejects.toThrow(/cannot be written to/);
    await store.migrate();
    await store.close();
    expect(store.writer.measures()).toMatchObject({ written: 1, queued: 0 });
  });
});

describe('the reader', () => {
  it('sees the views and nothing else (S5.2)', async () => {
    const url = await server.database();
    await ask(url, 'create table public.other(secret text); create schema private; create table private.t(x int)');
    await ask(url, 'create function private.f() returns int language sql as $$ select 1 $$');
    const store = open(url, []);
    await store.migrate();
    const { reader } = store;
    const user = await sql<{ name: string }>`select current_user as name`.execute(reader);
    expect(user.rows[0]?.name).toMatch(/^reeve_reads_/);
    for (const view of await ask(url, `select viewname from pg_views where schemaname = 'reeve'`)) {
      await sql`select * from ${sql.table(String(view['viewname']))} limit 1`.execute(reader);
    }
    const refused = [
      'select * from reeve_data.operations',
      'select * from reeve_data.migrations',
      'select * from public.other',
      'select * from private.t',
      'select private.f()',
      'select pg_read_file($$/etc/passwd$$)',
      'select passwd from pg_shadow',
      'delete from reeve.operations',
      'set default_transaction_read_only = off; delete from reeve.operations',
      'set default_transaction_read_only = off; insert into reeve.workflow_errors values (1, $$x$$, $$x$$)',
      'set default_transaction_read_only = off; create table reeve.mine (x int)',
      'set role postgres',
    ];
    for (const statement of refused) {
      await expect(sql.raw(statement).execute(reader), statement).rejects.toThrow(/permission denied|read-only|cannot/);
    }
  });

  it('is warned of, and reads as the owner, where the owner may make no roles (S5.2)', async () => {
    const url = await server.database();
    const owner = new URL(url);
    owner.username = `owner_of_${owner.pathname.slice(1)}`;
    owner.password = 'secret';
    await ask(url, `create role ${owner.username} login password 'secret'`);
    await ask(url, `grant create on database ${owner.pathname.slice(1)} to ${owner.username}`);
    const warnings: string[] = [];
    const store = open(owner.href, [], warnings);
    await store.migrate();
    await store.writer.keep([operation('o')]);
    expect(await store.reader.selectFrom('operations').select('request_id').execute()).toEqual([{ request_id: 'o' }]);
    const written = store.reader
      .insertInto('workflow_errors')
      .values({ error_id: 1, error_details: '', error_kind: '' });
    await expect(written.execute()).rejects.toThrow(/read-only/);
    expect(warnings.join('\n')).toMatch(/may not make the role of readers/);
    expect(warnings.join('\n')).toMatch(/reads use the store's own user/);

    // The remedy that the warning tells an administrator is enough.
    const remedy = /migrate again: (.*;)/.exec(warnings.join('\n'))![1]!;
    await ask(url, remedy);
    const heard: string[] = [];
    const again = open(owner.href, [], heard);
    await again.migrate();
    expect(await again.reader.selectFrom('operations').select('request_id').execute()).toEqual([{ request_id: 'o' }]);
    expect(heard).toEqual([]);
    await expect(sql.raw('select from reeve_data.operations').execute(again.reader)).rejects.toThrow(
      /permission denied/,
    );
  });
});

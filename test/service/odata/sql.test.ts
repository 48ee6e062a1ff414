import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRows, ODataError, PageQuery, parseQuery, type Rows } from '../../../src/service/odata/index.js';
import { someFilter, someParts, someThings } from './arbitrary.js';
import { Database } from './database.js';
import { holds } from './reference.js';
import { parts, thing, things, type Row } from './things.js';

let database: Database;
beforeAll(async () => {
  database = await Database.start();
});
afterAll(() => database.stop());

const ids = (items: readonly Row[]) => items.map(({ id }) => id);
const found = async (options: Readonly<Record<string, string>>) => ids((await database.page(things, options)).items);

describe('a filter', () => {
  it('means in SQL what it means in the plainest words, whatever lies in the rows (S6.2)', async () => {
    await fc.assert(
      fc.asyncProperty(
        someThings,
        someParts,
        fc.array(someFilter, { minLength: 10, maxLength: 10 }),
        async (rows, inner, filters) => {
          await database.fill('things', rows);
          await database.fill('parts', inner);
          for (const filter of filters) {
            const { filter: expression } = parseQuery({ $filter: filter }, things);
            if (!expression) throw new Error('there is a filter');
            const expected = rows.filter((row) => holds(expression, row, { things: rows, parts: inner }));
            const { items, count } = await database.page(things, { $filter: filter, $count: 'true' });
            expect(ids(items), filter).toEqual(ids(expected));
            expect(count, filter).toBe(expected.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('on the row to which the rows of a collection lead looks for its key, so that an index finds them (S6.2)', async () => {
    await database.fill('things', [thing(1, { name: 'Anchor' }), thing(2, { name: 'buoy' }), thing(3)]);
    await database.fill('parts', [
      { thing: 1, id: 1 },
      { thing: 3, id: 2 },
    ]);
    const $filter = "parts/any(p:contains(tolower(p/owner/name),'anchor'))";
    expect(await found({ $filter })).toEqual([1]);
    expect(await found({ $filter: `not (${$filter})` })).toEqual([2, 3]);
    const statement = new PageQuery(parseQuery({ $filter }, things), { rows: allRows, maxRows: 10, maxExpanded: 10 });
    expect(statement.select().compile(database.db).sql).toContain('"thing" in (select');
  });

  it('that looks into collections gives the first page and the count at once, and the pages after it (S6.2)', async () => {
    await database.fill(
      'things',
      [1, 2, 3, 4].map((id) => thing(id, { name: `t${id}` })),
    );
    await database.fill(
      'parts',
      [1, 2, 4].map((owner) => ({ thing: owner, id: 1 })),
    );
    const options = { $filter: 'parts/any(p:p/id eq 1)', $orderby: 'name desc', $count: 'true' };
    const limits = { maxRows: 2, maxExpanded: 10 };
    const first = await database.page(things, options, limits);
    expect([ids(first.items), first.count]).toEqual([[4, 2], 3]);
    const second = await database.page(things, { ...options, $skiptoken: first.nextSkipToken! }, limits);
    expect([ids(second.items), second.count, second.nextSkipToken]).toEqual([[1], 3, undefined]);
    expect(ids((await database.page(things, { ...options, $top: '1' }, limits)).items)).toEqual([4]);
    expect(await database.page(things, { ...options, $skip: '2' }, limits)).toMatchObject({ count: 3 });
  });

  it('takes what looks like SQL for what it is: text (S6.2)', async () => {
    const name = `'); drop table things; -- " $1 \\`;
    await database.fill('things', [thing(1, { name }), thing(2, { name: 'x' })]);
    expect(await found({ $filter: `name eq '${name.replaceAll("'", "''")}'` })).toEqual([1]);
    expect(await found({})).toEqual([1, 2]);
  });

  it('fails at no value that a query or a row can hold (S6.2)', async () => {
    await database.fill('things', [
      thing(1, { name: 'x', size: '9223372036854775807', ratio: 1e300, started: '2024-01-01T00:00:00Z' }),
    ]);
    for (const filter of [
      'size mul size mul size gt 1',
      'ratio lt 1e308 mul 1e308',
      'size div 0 eq null',
      'size mod 0 eq null',
      'size lt 99999999999999999999999',
      "substring(name,99999999999,-99999999999) eq ''",
      "started sub duration'P365000D' lt now()",
      "started lt now() and now() sub started gt duration'P1D'",
      'started lt 9999-12-31',
      'ratio gt 1e-300 and round(ratio) gt 0',
    ]) {
      expect(await found({ $filter: filter }), filter).toEqual([1]);
    }
  });
});

describe('an order', () => {
  const rows = [thing(1, { size: 2 }), thing(2), thing(3, { size: 1 }), thing(4), thing(5, { size: 2 })];

  it('has null before all values, ascending, and after them, descending; the key decides between equals (S6.2)', async () => {
    await database.fill('things', rows);
    expect(await found({ $orderby: 'size' })).toEqual([2, 4, 3, 1, 5]);
    expect(await found({ $orderby: 'size desc' })).toEqual([1, 5, 3, 2, 4]);
    expect(await found({ $orderby: 'size desc,id desc' })).toEqual([5, 1, 3, 4, 2]);
  });

  const orders = fc.uniqueArray(
    fc.constantFrom(
      'name',
      'size',
      'ratio',
      'flag',
      'started',
      'day',
      'ref',
      'outcome',
      'properties/port',
      'properties/since',
      'properties/host',
      'size add 1',
      'parts/$count',
    ),
    { maxLength: 3 },
  );
  const someOrder = fc
    .tuple(orders, fc.infiniteStream(fc.constantFrom('', ' asc', ' desc')))
    .map(([names, directions]) => names.map((name) => name + String(directions.next().value)).join(','));

  it('gives every row once, page by page, and the same as all at once (S6.2)', async () => {
    await fc.assert(
      fc.asyncProperty(someThings, someOrder, fc.integer({ min: 1, max: 4 }), async (given, order, maxRows) => {
        await database.fill('things', given);
        const options: Record<string, string> = { $filter: 'id gt 1', ...(order !== '' && { $orderby: order }) };
        const all = await found(options);
        expect(await allPages(options, maxRows), order).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  it('neither repeats nor leaves out a row when others come between two pages (S6.2)', async () => {
    await database.fill('things', rows);
    const limits = { maxRows: 2, maxExpanded: 10 };
    const first = await database.page(things, { $orderby: 'size' }, limits);
    await database.add('things', [thing(6, { size: 0 }), thing(0)]);
    const second = await database.page(things, { $orderby: 'size', $skiptoken: first.nextSkipToken ?? '' }, limits);
    expect([...ids(first.items), ...ids(second.items)]).toEqual([2, 4, 6, 3]);
  });

  it('ends after $top rows, on whatever page, and skips only before the first (S6.2)', async () => {
    await database.fill('things', rows);
    expect(await allPages({ $top: '3', $skip: '1' }, 2)).toEqual([2, 3, 4]);
    expect(await allPages({ $top: '2' }, 2)).toEqual([1, 2]);
    expect(await allPages({ $top: '0' }, 2)).toEqual([]);
  });

  async function allPages(options: Readonly<Record<string, string>>, maxRows: number): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    for (let token: string | undefined, pages = 0; pages < 20; pages++) {
      const page = await database.page(
        things,
        { ...options, ...(token && { $skiptoken: token }) },
        { maxRows, maxExpanded: 10 },
      );
      seen.push(...ids(page.items));
      token = page.nextSkipToken;
      if (token === undefined) return seen;
    }
    throw new Error('the pages do not end');
  }
});

describe('a skip token', () => {
  const token = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

  it('is refused when it is not one, or one of another order (S6.2)', async () => {
    await database.fill('things', [thing(1), thing(2)]);
    const { nextSkipToken = '' } = await database.page(things, { $orderby: 'started' }, { maxRows: 1, maxExpanded: 1 });
    const content = JSON.parse(Buffer.from(nextSkipToken, 'base64url').toString()) as {
      order: string;
      values: unknown[];
    };
    const bad = [
      'nonsense',
      token({}),
      token({ ...content, values: [] }),
      token({ ...content, values: [null, '1; drop table things'] }),
      token({ ...content, values: ['2024-02-31T00:00:00.000000Z', '1'] }),
      token({ ...content, values: [1, 2] }),
      token({ ...content, left: -1 }),
    ];
    for (const $skiptoken of bad) {
      await expect(database.page(things, { $orderby: 'started', $skiptoken }), $skiptoken).rejects.toThrow(ODataError);
    }
    await expect(database.page(things, { $orderby: 'name', $skiptoken: nextSkipToken })).rejects.toThrow(
      'belongs to another $orderby',
    );
  });
});

describe('what comes back', () => {
  it('is what $select names, with the parts of objects, and times in UTC (S6.2)', async () => {
    const properties = { port: 80, host: 'h', address: { city: 'c', street: 's' } };
    await database.fill('things', [
      thing(1, { started: '2024-03-01T00:30:00.123456+02:00', size: '9007199254740993', properties }),
      thing(2, { properties: [] }),
    ]);
    const { items } = await database.page(things, { $select: 'started,size,properties/port,properties/address/city' });
    expect(items).toEqual([
      {
        started: '2024-02-29T22:30:00.123Z',
        size: '9007199254740993',
        properties: { port: 80, address: { city: 'c' } },
      },
      { started: null, size: null, properties: null },
    ]);
    const all = await database.page(things, {});
    expect(Object.keys(all.items[0] ?? {}).sort()).toEqual(Object.keys(things.properties).sort());
  });

  it('brings along what $expand names, with options of its own, in both directions (S6.2)', async () => {
    await database.fill('things', [thing(1), thing(2)]);
    await database.fill(
      'parts',
      [1, 2, 3].map((id) => ({ thing: 1, id, name: `p${id}`, size: id })),
    );
    const $expand =
      'parts($filter=size gt 1;$orderby=size desc;$top=1;$count=true;$select=name;$expand=owner($select=id))';
    const { items } = await database.page(things, { $select: 'id', $expand });
    expect(items).toEqual([
      { id: 1, parts: [{ name: 'p3', owner: { id: 1 } }], 'parts@odata.count': 2 },
      { id: 2, parts: [], 'parts@odata.count': 0 },
    ]);
    const { items: inner } = await database.page(parts, {
      $filter: 'owner/id eq 1 and id eq 2',
      $select: 'id',
      $expand: 'owner($select=id)',
    });
    expect(inner).toEqual([{ id: 2, owner: { id: 1 } }]);
  });

  it('leads to the rest of an expanded collection that has more than is brought along (S6.2)', async () => {
    await database.fill('things', [thing(1)]);
    await database.fill(
      'parts',
      [1, 2, 3, 4, 5].map((id) => ({ thing: 1, id })),
    );
    const { items } = await database.page(
      things,
      { $select: 'id', $expand: `parts($select=id;$filter=name ne 'a;b';$top=4)` },
      { maxRows: 5, maxExpanded: 2 },
    );
    const link = expect.stringContaining('/things/1/parts?') as string;
    expect(items).toEqual([{ id: 1, parts: [{ id: 1 }, { id: 2 }], 'parts@odata.nextLink': link }]);
    const { searchParams } = new URL(String(items[0]?.['parts@odata.nextLink']), 'http://x');
    expect(Object.fromEntries(searchParams)).toMatchObject({ $select: 'id', $filter: `name ne 'a;b'`, $top: '4' });
    const rest = await database.page({ ...parts, only: { thing: 1 } }, Object.fromEntries(searchParams));
    expect(rest.items).toEqual([{ id: 3 }, { id: 4 }]);
  });
});

describe('rows that somebody may not see', () => {
  it('are reached by no filter, order, count or expansion (S6.5)', async () => {
    await database.fill('things', [thing(1, { name: 'mine' }), thing(2, { name: 'theirs' })]);
    await database.fill('parts', [
      { thing: 1, id: 1, name: 'seen', size: 1 },
      { thing: 1, id: 2, name: 'hidden', size: 2 },
      { thing: 2, id: 1, name: 'hidden', size: 3 },
    ]);
    const rows: Rows = (model) => sql`(select * from ${allRows(model)} as r where r.name in ('mine', 'seen'))`;
    const ask = (options: Readonly<Record<string, string>>, model = things) =>
      database.page(model, options, undefined, rows);
    const { items, count } = await ask({
      $select: 'id',
      $expand: 'parts($select=id;$count=true)',
      $orderby: 'parts/$count',
    });
    expect(items).toEqual([{ id: 1, parts: [{ id: 1 }], 'parts@odata.count': 1 }]);
    expect(count).toBe(1);
    for (const $filter of ["parts/any(p:p/name eq 'hidden')", 'parts/$count gt 1', 'parts/any(p:p/size gt 1)']) {
      expect((await ask({ $filter })).items, $filter).toEqual([]);
    }
    await database.add('parts', [{ thing: 2, id: 2, name: 'seen', size: 4 }]);
    expect((await ask({ $filter: "owner/name eq 'theirs'" }, parts)).items).toEqual([]);
    expect((await ask({ $filter: 'thing eq 2', $expand: 'owner' }, parts)).items).toMatchObject([{ owner: null }]);
  });
});

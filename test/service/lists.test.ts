import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../src/service/lists/catalogue.js';
import { allRows, PageQuery, parseQuery } from '../../src/service/odata/index.js';
import { readerLogin } from '../../src/store/index.js';
import { openReader } from '../../src/store/reader.js';
import type { EntityRecord, StoreRecord } from '../../src/protocol/records.js';
import { event, operation, standing, START, transition } from '../store/records.js';
import { useMortalServer } from '../store/server.js';
import { DIMENSIONS, fleet, Port, PORTS, Ship, SHIPS, type Answered } from './fleet.js';

const server = useMortalServer();

const lying = (type: string, key: string, values: Partial<EntityRecord> = {}) =>
  standing(1, { entity: { type, key, life: `life of ${type} ${key}` }, ...values });
const ship = (key: string, properties: object = {}, values: Partial<EntityRecord> = {}) =>
  lying('Ship', key, { properties: { tons: 1, ...properties }, dimensions: { flag: 'white' }, ...values });
const keys = ({ body }: Answered) => body.value?.map(({ key }) => key);

async function useFleet(...records: EntityRecord[]) {
  const store = await server.store(DIMENSIONS);
  await store.writer.keep(records);
  return { store, get: fleet(store) };
}

describe('a list of entities (S6.2)', () => {
  it('has those of its type that are not deleted, in the order of their keys, and says where it is described', async () => {
    const gone = ship('gone', {}, { deleted: true, state: 'Gone' });
    const { get } = await useFleet(ship('b'), ship('a'), gone, lying('Port', 'a'));
    const listed = await get(SHIPS);
    expect(listed).toMatchObject({ status: 200, body: { '@odata.context': '/api/fleet/v2/$metadata#Ship' } });
    expect(listed.headers.get('odata-version')).toBe('4.01');
    expect(keys(listed)).toEqual(['a', 'b']);
    expect(keys(await get(SHIPS, { deleted: 'true' }))).toEqual(['a', 'b', 'gone']);
    expect(keys(await get(PORTS))).toEqual(['a']);
    expect((await get('/api/entities', { $count: 'true' })).body['@odata.count']).toBe(3);
  });

  it('is counted at its own address, as text (S6.2)', async () => {
    const gone = ship('gone', {}, { deleted: true, state: 'Gone' });
    const boats = { subordinates: { boats: { b1: { seats: 4 }, b2: { seats: 2 } } } };
    const { get } = await useFleet(ship('b', { tons: 5 }), ship('a', {}, boats), gone, ship('$count', { tons: 5 }));
    const counts: Readonly<Record<string, number>> = {
      [`${SHIPS}/$count`]: 3,
      [`${SHIPS}/$count?deleted=true`]: 4,
      [`${SHIPS}/$count?$filter=properties/tons eq 5`]: 2,
      [`${SHIPS}('a')/boats/$count`]: 2,
      [`${SHIPS}/a/boats/$count?$filter=seats gt 2`]: 1,
      '/api/entities/$count': 3,
      '/api/operations/$count': 0,
    };
    for (const [path, count] of Object.entries(counts)) {
      const { status, headers, text } = await get(path);
      expect({ path, status, text }).toEqual({ path, status: 200, text: String(count) });
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
    }
    for (const option of ['$top', '$select', '$skiptoken']) {
      expect(await get(`${SHIPS}/$count`, { [option]: '1' })).toMatchObject({ status: 400 });
    }
  });

  it('is filtered by properties, links, dimensions and states, as declared', async () => {
    const { get } = await useFleet(
      ship(
        'a',
        { tons: 5, flag: 'red', crew: { captain: "O'Neil" }, launched: '2026-01-01T00:00:00Z' },
        { dimensions: { flag: 'red' } },
      ),
      ship('b', { tons: 50, cargo: ['tea', 'rum'] }, { links: { home: 'oslo' } }),
      ship('c', { tons: 7 }, { links: { visits: ['oslo', 'rome'] }, health: 'error' }),
    );
    const cases: Readonly<Record<string, readonly string[]>> = {
      'properties/tons gt 6': ['b', 'c'],
      'properties/tons eq 5': ['a'],
      "properties/crew/captain eq 'O''Neil'": ['a'],
      "properties/flag eq 'red' or links/home eq 'oslo'": ['a', 'b'],
      "flag eq 'red'": ['a'],
      'properties/launched lt 2026-06-01T00:00:00Z': ['a'],
      "properties/cargo/any(c:c eq 'rum')": ['b'],
      "links/visits/any(v:v eq 'rome')": ['c'],
      "health eq 'error' and state eq 'Ready'": ['c'],
      'not (properties/tons eq 5)': ['b', 'c'],
    };
    for (const [$filter, expected] of Object.entries(cases)) {
      expect(keys(await get(SHIPS, { $filter })), $filter).toEqual(expected);
    }
  });

  it('brings along what links lead to, and filters by it', async () => {
    const { get } = await useFleet(
      ship(
        'a',
        {},
        { links: { home: 'oslo', visits: ['rome', 'oslo', 'nowhere'] }, subordinates: { boats: { b1: { seats: 4 } } } },
      ),
      ship('b'),
      lying('Port', 'oslo', { properties: { depth: 9 } }),
      lying('Port', 'rome', { properties: { depth: 3 } }),
      // Of another type, with a key that a link has.
      ship('oslo'),
    );
    const { body } = await get(
      SHIPS,
      {
        $expand: 'home($select=key),visits($orderby=key desc;$select=key)',
        $select: 'key,subordinates/boats',
      },
      { prefer: 'maxpagesize=40' },
    );
    expect(body.value).toEqual([
      {
        key: 'a',
        subordinates: { boats: { b1: { seats: 4 } } },
        home: { key: 'oslo' },
        visits: [{ key: 'rome' }, { key: 'oslo' }],
      },
      { key: 'b', subordinates: { boats: null }, home: null, visits: [] },
      { key: 'oslo', subordinates: { boats: null }, home: null, visits: [] },
    ]);
    expect(keys(await get(SHIPS, { $filter: 'home/properties/depth eq 9' }))).toEqual(['a']);
    expect(keys(await get(SHIPS, { $filter: 'visits/any(p:p/properties/depth lt 5)' }))).toEqual(['a']);
  });

  it('leads to all of an expanded collection, page by page, also what is deleted (S6.2)', async () => {
    const ports = Array.from({ length: 13 }, (_, index) => `p/${String(index).padStart(2, '0')} ü`);
    const { get } = await useFleet(
      ship('a/b', {}, { links: { visits: [...ports, 'nowhere'] } }),
      ...ports.map((key, index) => lying('Port', key, { properties: { depth: index }, deleted: index % 2 === 0 })),
      lying('Port', 'elsewhere', { properties: { depth: 5 } }),
    );
    const $expand = 'visits($filter=properties/depth gt 0;$orderby=key desc;$select=key;$count=true)';
    const { body } = await get(SHIPS, { $expand, $select: 'version' });
    const [item = {}] = body.value ?? [];
    expect(Object.keys(item).sort()).toEqual(['version', 'visits', 'visits@odata.count', 'visits@odata.nextLink']);
    expect(item['visits@odata.count']).toBe(12);
    const seen = [...(item['visits'] as readonly { readonly key: string }[])];
    let next: unknown = item['visits@odata.nextLink'];
    while (typeof next === 'string') {
      const page: Answered = await get(next, {}, { prefer: 'maxpagesize=4' });
      expect(page).toMatchObject({ status: 200, body: { '@odata.context': '/api/fleet/v2/$metadata#Port' } });
      seen.push(...(page.body.value as unknown as typeof seen));
      next = page.body['@odata.nextLink'];
    }
    expect(seen.map(({ key }) => key)).toEqual(ports.slice(1).reverse());
    expect(await get('/api/fleet/v2/Ship/nobody/visits')).toMatchObject({ status: 404, body: { code: 'absent' } });
  });

  it('leads to the members of subordinates, each of one entity alone: filtered, ordered, counted, paged (S1.2, S6.2)', async () => {
    const boats = Object.fromEntries(Array.from({ length: 13 }, (_, seats) => [`b/${seats}`, { seats }]));
    const { get } = await useFleet(
      ship('a', {}, { subordinates: { boats, flags: { bow: 'red' } } }),
      ship('b', {}, { subordinates: { boats: { lone: { seats: 99, oars: 2.5 }, torn: 'no boat' } } }),
      ship('c', {}, { subordinates: { boats: {} } }),
    );
    const $expand = 'boats($filter=seats gt 2;$orderby=seats desc;$select=key;$count=true)';
    const { body } = await get(SHIPS, { $filter: "key eq 'a'", $expand, $select: 'version' });
    const [item = {}] = body.value ?? [];
    expect(item['boats@odata.count']).toBe(10);
    const seen = [...(item['boats'] as readonly { readonly key: string }[])];
    expect(seen).toHaveLength(5);
    const rest = await get(String(item['boats@odata.nextLink']));
    expect(rest.body['@odata.context']).toBe("/api/fleet/v2/$metadata#Ship('a')/boats");
    seen.push(...(rest.body.value as unknown as typeof seen));
    expect(seen.map(({ key }) => key)).toEqual(
      Object.keys(boats)
        .filter((key) => boats[key]!.seats > 2)
        .reverse(),
    );
    const cases: Readonly<Record<string, readonly string[]>> = {
      'boats/any(b:b/seats eq 99 and b/oars gt 2)': ['b'],
      "boats/any(b:startswith(b/key,'b/1'))": ['a'],
      "flags/any(f:f/value eq 'red')": ['a'],
      'boats/$count gt 2': ['a'],
      'not boats/any()': ['c'],
    };
    for (const [$filter, expected] of Object.entries(cases)) {
      expect(keys(await get(SHIPS, { $filter })), $filter).toEqual(expected);
    }
    expect((await get(`${SHIPS}/a/flags`)).body.value).toEqual([{ key: 'bow', value: 'red' }]);
    expect((await get(`${SHIPS}/b/boats`)).body.value).toEqual([
      { key: 'lone', seats: 99, oars: 2.5 },
      { key: 'torn', seats: null, oars: null },
    ]);
    expect((await get(`${SHIPS}/a/boats/b%2F7`)).body).toMatchObject({ key: 'b/7', seats: 7 });
    for (const path of ['b/boats/b%2F7', 'nobody/boats', 'nobody/boats/lone']) {
      expect(await get(`${SHIPS}/${path}`), path).toMatchObject({ status: 404, body: { code: 'absent' } });
    }
  });

  it('is paged by links that lose and double nothing while rows are added', async () => {
    const all = Array.from({ length: 35 }, (_, index) => `s${String(index).padStart(3, '0')}`);
    const { store, get } = await useFleet(...all.map((key, index) => ship(key, { tons: index % 3 })));
    const seen: unknown[] = [];
    let next: string | undefined = `${SHIPS}?$filter=properties/tons ge 0&$orderby=properties/tons desc&$count=true`;
    for (let page = 0; next !== undefined; page += 1) {
      const answered: Answered = await get(next);
      expect(answered.status).toBe(200);
      seen.push(...(keys(answered) ?? []));
      next = answered.body['@odata.nextLink'] as string | undefined;
      if (next !== undefined) expect(next.startsWith(`${SHIPS}?$filter=`)).toBe(true);
      // Before what has been seen, and so on none of the pages that follow.
      await store.writer.keep([ship(`new${page}`, { tons: 9 })]);
    }
    expect(seen).toHaveLength(35);
    expect(new Set(seen)).toEqual(new Set(all));
  });

  it('has as many rows on a page as the caller prefers, up to a limit; $top is of all pages', async () => {
    const { get } = await useFleet(...Array.from({ length: 60 }, (_, index) => ship(`s${index}`)));
    expect((await get(SHIPS)).body.value).toHaveLength(10);
    const preferred = await get(SHIPS, {}, { prefer: 'odata.maxpagesize=20' });
    expect(preferred.body.value).toHaveLength(20);
    expect(preferred.headers.get('preference-applied')).toBe('maxpagesize=20');
    expect((await get(SHIPS, {}, { prefer: 'maxpagesize=1000' })).body.value).toHaveLength(50);
    const first = await get(SHIPS, { $top: '12' });
    const second = await get(first.body['@odata.nextLink'] as string);
    expect(second.body.value).toHaveLength(2);
    expect(second.body['@odata.nextLink']).toBeUndefined();
  });
});

describe('the three levels (S5.1, S6.2)', () => {
  const entity = { type: 'Ship', key: 'a', life: 'l' };
  const story = [
    operation('build-a', { name: 'build Ship/a', outcome: 'success', endedAt: START + 9 }),
    operation('other'),
    event('build-a', { entity, operation: 'build-a', event: 'build' }),
    event('second', { entity, operation: 'build-a', event: 'scrap', startedAt: START + 5 }),
    transition(1, { entity, operation: 'build-a', event: 'build-a', ordinal: 1 }),
    transition(2, { entity, operation: 'build-a', event: 'build-a', ordinal: 2 }),
    transition(3, { entity, operation: 'build-a', event: 'second', ordinal: 1 }),
    standing(3, { entity }),
  ];
  const read = async () => {
    const store = await server.store(DIMENSIONS);
    await store.writer.keep(story);
    return { store, get: fleet(store) };
  };

  it('come in one answer, each within the one above', async () => {
    const { get } = await read();
    const { body } = await get('/api/operations', {
      $filter: "request_id eq 'build-a'",
      $select: 'request_id',
      $expand: 'events($select=event;$expand=transitions($select=transition_ordinal))',
    });
    const of = (...versions: [ordinal: number, version: number][]) =>
      versions.map(([ordinal, version]) => ({ transition_ordinal: ordinal, '@reeve.version': `l.${version}` }));
    expect(body.value).toEqual([
      {
        request_id: 'build-a',
        events: [
          { event: 'build', transitions: of([1, 1], [2, 2]) },
          { event: 'scrap', transitions: of([1, 3]) },
        ],
      },
    ]);
  });

  it('lead on where one has more than is brought along with the one above (S6.2)', async () => {
    const { store, get } = await read();
    await store.writer.keep(
      Array.from({ length: 9 }, (_, index) =>
        transition(4 + index, { entity, operation: 'build-a', event: 'second', ordinal: 2 + index }),
      ),
    );
    const $expand = 'events($orderby=event_id;$select=event;$expand=transitions($select=transition_ordinal))';
    const { body } = await get('/api/operations', { $filter: "request_id eq 'build-a'", $select: 'name', $expand });
    const [build, scrap] = body.value?.[0]?.['events'] as readonly Record<string, unknown>[];
    expect(build).toMatchObject({
      event: 'build',
      transitions: [{ transition_ordinal: 1 }, { transition_ordinal: 2 }],
    });
    const rest = await get(String(scrap?.['transitions@odata.nextLink']));
    const ordinals = [...(scrap?.['transitions'] as object[]), ...(rest.body.value ?? [])];
    expect(ordinals).toMatchObject(Array.from({ length: 10 }, (_, index) => ({ transition_ordinal: index + 1 })));
    expect(rest.body['@odata.nextLink']).toBeUndefined();
  });

  it('are told with the operation itself, from the store where no worker is up', async () => {
    const { get } = await read();
    const path = '/api/operations/build-a';
    const $expand = 'events($select=event;$expand=transitions($select=transition_ordinal))';
    expect((await get(path)).body).not.toHaveProperty('events');
    expect(await get(path, { $expand })).toMatchObject({
      status: 200,
      body: {
        request_id: 'build-a',
        outcome: 'success',
        stale: true,
        events: [{ event: 'build' }, { event: 'scrap' }],
      },
    });
    expect(await get(path, { $expand: 'pilots' })).toMatchObject({ status: 400, body: { code: 'odata_unknown_name' } });
  });

  it('are reached one from another', async () => {
    const { get } = await read();
    const events = await get('/api/operations/build-a/events', { $filter: "event eq 'build'" });
    expect(events.body.value).toMatchObject([{ event: 'build', request_id: 'build-a', state_machine_type: 'Ship' }]);
    const id = events.body.value?.[0]?.['event_id'];
    const transitions = await get(`/api/operations/build-a/events/${id}/transitions`, { $count: 'true' });
    expect(transitions.body).toMatchObject({ '@odata.count': 2, value: [{ event_id: id }, { event_id: id }] });
    expect((await get(SHIPS, { $expand: 'events($select=event)', $select: 'key' })).body.value).toEqual([
      { key: 'a', events: [{ event: 'build' }, { event: 'scrap' }] },
    ]);
  });

  it('are 404 where the one above is not', async () => {
    const { get } = await read();
    const { body } = await get('/api/operations/build-a/events');
    const id = body.value?.[0]?.['event_id'];
    for (const path of ['none/events', `other/events/${id}/transitions`, 'build-a/events/12/transitions']) {
      expect(await get(`/api/operations/${path}`), path).toMatchObject({ status: 404, body: { code: 'absent' } });
    }
    expect((await get('/api/operations/other/events')).body.value).toEqual([]);
  });

  it('say by which index a time is found: they are in its order (S5.1)', async () => {
    const { get } = await read();
    const { body } = await get('/api/events', { $filter: 'start_time ge 2026-01-01', $select: 'event' });
    expect(body.value).toEqual([{ event: 'build' }, { event: 'scrap' }]);
  });

  it('each have a list, as has everything else that the store tells', async () => {
    const { get } = await read();
    const { body } = await get('/api');
    const sets = body.value as unknown as readonly { readonly name: string; readonly url: string }[];
    expect(sets.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'operations',
        'events',
        'transitions',
        'exceptions',
        'errors',
        'audit',
        'operation_rollup',
      ]),
    );
    for (const { url } of sets) expect(await get(url), url).toMatchObject({ status: 200 });
  });
});

describe('a query that cannot be followed (S6.2)', () => {
  const BAD: readonly (readonly [
    options: Readonly<Record<string, string>>,
    code: string,
    path: string,
    position: number,
  ])[] = [
    [{ $filter: "properties/tons eq 'x'" }, 'odata_wrong_type', '$filter', 17],
    [{ $filter: 'properties/wings eq 1' }, 'odata_unknown_name', '$filter', 12],
    [{ $filter: "key eq 'a'; drop table entities" }, 'odata_syntax', '$filter', 11],
    [{ $filter: `key eq '${'x'.repeat(9_000)}'` }, 'odata_limit', '$filter', 8_193],
    [{ $filter: `${'('.repeat(40)}true${')'.repeat(40)}` }, 'odata_limit', '$filter', 34],
    [{ $filter: "key eq '\0'" }, 'odata_syntax', '$filter', 9],
    [{ $orderby: 'links' }, 'odata_wrong_type', '$orderby', 1],
    [{ $expand: 'pilots' }, 'odata_unknown_name', '$expand', 1],
    [{ $top: '-1' }, 'odata_syntax', '$top', 1],
    [{ $skiptoken: 'e30' }, 'odata_syntax', '$skiptoken', 1],
    [{ $skiptoken: "'; drop table entities" }, 'odata_syntax', '$skiptoken', 1],
    [{ $apply: 'aggregate($count as n)' }, 'odata_unsupported', '$apply', 1],
    [{ color: 'red' }, 'odata_unsupported', 'color', 1],
    [{ $format: 'xml' }, 'odata_unsupported', '$format', 1],
    [{ deleted: 'maybe' }, 'odata_unsupported', 'deleted', 1],
  ];

  it('is refused with its place, and does nothing', async () => {
    const { get } = await useFleet(ship('a'));
    for (const [options, code, path, position] of BAD) {
      const { status, headers, body } = await get(SHIPS, options);
      expect({ status, code: body['code'] }, JSON.stringify(options).slice(0, 80)).toEqual({ status: 400, code });
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body['issues']).toMatchObject([{ path, position }]);
    }
    expect(keys(await get(SHIPS))).toEqual(['a']);
  });

  it('is text where it looks like SQL', async () => {
    const key = `'); drop table entities; -- " $1 \\ %27`;
    const { get } = await useFleet(ship(key, { crew: { captain: key } }), ship('b'));
    const quoted = key.replaceAll("'", "''");
    for (const place of ['key', 'properties/crew/captain']) {
      expect(keys(await get(SHIPS, { $filter: `${place} eq '${quoted}'` }))).toEqual([key]);
    }
    expect(keys(await get(`/api/operations/${encodeURIComponent(key)}/events`))).toBeUndefined();
    expect(keys(await get(SHIPS))).toHaveLength(2);
  });
});

describe('the store (S5.2, S6.2)', () => {
  it('is given up on when a query takes too long: 504 with advice', async () => {
    const store = await server.store(DIMENSIONS);
    const operations = Array.from({ length: 1_500 }, (_, index) => operation(`op ${index}`));
    await store.writer.keep(operations);
    const { reader, close } = openReader(store.url, readerLogin(store.url), { warn: () => undefined, queryMs: 1 });
    try {
      const get = fleet({ ...store, reader });
      const slow = Array.from({ length: 30 }, (_, index) => `contains(tolower(concat(name,'${index}')),'zz')`).join(
        ' or ',
      );
      const { status, body } = await get('/api/operations', { $filter: slow, $count: 'true' });
      expect({ status, code: body['code'] }).toEqual({ status: 504, code: 'query_too_large' });
      expect(body['detail']).toContain('$top');
    } finally {
      await close();
    }
  });

  it('is away: 503, and it is asked again when it is back', async () => {
    const { get } = await useFleet(ship('a'));
    expect(keys(await get(SHIPS))).toEqual(['a']);
    await server.stop();
    const { status, headers, body } = await get(SHIPS);
    await server.start();
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'store_unavailable' });
    expect(headers.get('retry-after')).toBe('5');
    expect(keys(await get(SHIPS))).toEqual(['a']);
  });

  it('is not what this version needs: 503 that says what to do', async () => {
    const { store, get } = await useFleet(ship('a'));
    await store.query('drop view reeve.entities');
    expect(await get(SHIPS)).toMatchObject({ status: 503, body: { code: 'store_outdated' } });
  });

  it('finds what equals a property by an index', async () => {
    const ships = Array.from({ length: 3_000 }, (_, index) => ship(`s${index}`, { tons: index }));
    const { store, get } = await useFleet(...ships);
    await store.query('analyze reeve_data.entities');
    for (const literal of ['3', '3.0', '3e0']) {
      expect(keys(await get(SHIPS, { $filter: `properties/tons eq ${literal}` })), literal).toEqual(['s3']);
    }
    const model = catalogueOf([{ name: 'fleet', version: 2, entities: [Port, Ship] }]).modules[0]!.lists[1]!.model;
    const query = parseQuery({ $filter: "state eq 'Ready' and properties/tons eq 3" }, model);
    const page = new PageQuery(query, { maxRows: 10, maxExpanded: 0, rows: allRows });
    const plan = await sql`explain ${page.select()}`.execute(store.reader);
    expect(JSON.stringify(plan.rows)).toContain('entities_by_properties');
  });
});

describe('a list of operations (S6.2)', () => {
  it('says of one over partitions how its instance is, also while that cleans up (I5, S5.2)', async () => {
    const store = await server.store(DIMENSIONS);
    const instance = (request: string, told: object): StoreRecord => ({
      ...{ kind: 'instance', life: request, name: `${request}/index/1`, target: request, type: 'index', instance: 1 },
      ...{ operation: request, state: 'running', startedAt: START, at: START, ...told },
      reading: {
        ...{ target: request, type: 'index', instance: 1, phase: 'running', paused: false, pausedMs: 0, atOnce: 4 },
        ...{ jobs: { all: 4, succeeded: 0, failed: 0, running: 1 }, lanes: [], troubles: [], retries: [] },
        startedAt: START,
      },
    });
    await store.writer.keep([
      operation('a', { name: 'index distributed/a' }),
      operation('b', { name: 'index distributed/b' }),
      operation('c'),
      instance('a', {}),
      instance('b', { state: 'tidying', outcome: 'failed' }),
    ]);
    const { body } = await fleet(store)('/api/operations', { $orderby: 'request_id' });
    expect(
      body.value?.map((row) => [row['request_id'], row['@reeve.instance_state'], row['@reeve.instance_outcome']]),
    ).toEqual([
      ['a', 'running', undefined],
      ['b', 'tidying', 'failed'],
      ['c', undefined, undefined],
    ]);
  });
});

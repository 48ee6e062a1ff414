import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../src/service/lists/catalogue.js';
import { addressOf } from '../../src/service/odata-address.js';
import { standing } from '../store/records.js';
import { useServer } from '../store/server.js';
import { DIMENSIONS, fleet, Port, Ship, SHIPS } from './fleet.js';

const server = useServer();
const catalogue = catalogueOf([{ name: 'fleet', version: 2, entities: [Port, Ship] }]);
const ROOT = '/api/fleet/v2';

describe("an address in OData's way (S6.2)", () => {
  const RIGHT: Readonly<Record<string, string>> = {
    [`${ROOT}/Ship('a')`]: `${ROOT}/Ship/a`,
    [`${ROOT}/Ship(%27a%27)`]: `${ROOT}/Ship/a`,
    [`${ROOT}/Ship(key='a')`]: `${ROOT}/Ship/a`,
    [`${ROOT}/Ship('O''Neil')`]: `${ROOT}/Ship/O'Neil`,
    [`${ROOT}/Ship('O%27%27Neil')`]: `${ROOT}/Ship/O'Neil`,
    [`${ROOT}/Ship('a%2Fb%20%C3%BC')`]: `${ROOT}/Ship/a%2Fb%20%C3%BC`,
    [`${ROOT}/Ship('100%25')`]: `${ROOT}/Ship/100%25`,
    [`${ROOT}/Ship('x(''y'')')`]: `${ROOT}/Ship/x('y')`,
    [`${ROOT}/Ship('a')/fleet.v2.scrap`]: `${ROOT}/Ship/a/scrap`,
    [`${ROOT}/Ship('a')/scrap`]: `${ROOT}/Ship/a/scrap`,
    [`${ROOT}/Ship/a/fleet.v2.scrap`]: `${ROOT}/Ship/a/scrap`,
    [`${ROOT}/Ship('a')/boats('b')`]: `${ROOT}/Ship/a/boats/b`,
    [`${ROOT}/Ship/a/boats('b')`]: `${ROOT}/Ship/a/boats/b`,
    // A segment that stands where a key stands is a key, whatever it looks like.
    [`${ROOT}/Ship/x('y')`]: `${ROOT}/Ship/x('y')`,
    [`${ROOT}/Ship/fleet.v2.scrap`]: `${ROOT}/Ship/fleet.v2.scrap`,
    "/api/operations('build%2Fa')/events(12)/transitions": '/api/operations/build%2Fa/events/12/transitions',
    '/api/events(12)': '/api/events/12',
    "/api/entities(key='a',type='Ship')/events": '/api/entities/Ship/a/events',
    "/api/entities/Ship/x('y')/events": "/api/entities/Ship/x('y')/events",
    [`${ROOT}/`]: ROOT,
    '/api/': '/api',
    [`${ROOT}/$metadata`]: `${ROOT}/$metadata`,
    "/docs('a')": "/docs('a')",
  };

  it('is that of a route', () => {
    for (const [written, path] of Object.entries(RIGHT)) {
      expect(addressOf(written, catalogue), written).toEqual({ path });
    }
  });

  const WRONG = [
    ...[
      "Ship('a",
      "Ship('a'b')",
      'Ship(a)',
      'Ship()',
      'Ship(12)',
      "Ship('')",
      "Ship('..')",
      "Ship('a','b')",
      "Ship(name='a')",
    ],
    ...["Ship('a')('b')", "Ship('a',)", "Ship(key='a',key='b')", "Ship('a')/boats(b)"],
  ];

  it('is refused where it is malformed, with what is wrong, and nothing is read', async () => {
    const get = fleet(await server.store(DIMENSIONS));
    for (const written of [
      ...WRONG.map((each) => `${ROOT}/${each}`),
      "/api/entities('Ship','a')",
      '/api/events(1',
      "/api/events('1')",
    ]) {
      const answer = await get(written);
      expect(answer, written).toMatchObject({ status: 400, body: { code: 'malformed_key', status: 400 } });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect((await get(written, {}, {}, 'POST')).status, written).toBe(400);
    }
    const { body } = await get(`${ROOT}/Ship('a`);
    expect(body).toMatchObject({
      detail:
        "'Ship('a' addresses nothing: its parenthesis is not closed. Write it as Type('key') or list(type='Type',key='key').",
    });
    // Where an OData client looks for it.
    expect(body['error']).toEqual({ code: 'malformed_key', message: body['detail'] });
    expect(await get(`${ROOT}/Whale('a')`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await get(`${ROOT}/Ship('nobody')`)).toMatchObject({ status: 503, body: { code: 'no_answer' } });
    expect(await get(`${ROOT}/Ship(%27%C3%28%27)`)).toMatchObject({ status: 400, body: { code: 'malformed_path' } });
  });

  it('reads one, what is beneath it, and where it leads, as the other address does', async () => {
    const store = await server.store(DIMENSIONS);
    const key = `it's 50% a/b`;
    const entity = { type: 'Ship', key, life: 'l' };
    await store.writer.keep([
      standing(1, { entity, links: { home: 'oslo' }, subordinates: { boats: { "b'1": { seats: 4 } } } }),
      standing(1, { entity: { type: 'Port', key: 'oslo', life: 'p' }, properties: { depth: 3 } }),
    ]);
    const get = fleet(store);
    const slashes = `${SHIPS}/${encodeURIComponent(key)}`;
    const quoted = `${SHIPS}('${encodeURIComponent(key.replaceAll("'", "''"))}')`;
    for (const rest of ['', '/boats', '/boats/b%271', '/home', '/visits', '/events']) {
      const expected = await get(`${slashes}${rest}`);
      expect(expected.status, rest).toBe(200);
      expect((await get(`${quoted}${rest}`)).body, rest).toEqual(expected.body);
    }
    expect((await get(`${quoted}/boats('b''1')`)).body).toMatchObject({ key: "b'1", seats: 4 });
    expect((await get(`${SHIPS}('oslo')/home`)).status).toBe(404);
    expect((await get(`${quoted}/current_operation`)).status).toBe(204);
    expect((await get(`${quoted}/home`)).body).toMatchObject({ key: 'oslo', properties: { depth: 3 } });
    const read = await get(quoted, { $select: 'key,properties/tons', $expand: 'home($select=key),boats' });
    expect(read.body).toEqual({
      ...{ '@odata.context': `${ROOT}/$metadata#Ship/$entity`, '@odata.etag': '"l.1"' },
      ...{ key, properties: { tons: null }, home: { key: 'oslo' } },
      boats: [{ key: "b'1", seats: 4, oars: null }],
    });
  });
});

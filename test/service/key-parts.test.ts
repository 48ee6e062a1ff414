import { Validator } from '@seriousme/openapi-schema-validator';
import { Client } from '@temporalio/client';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ReeveClient } from '../../src/client/client.js';
import { defineEntity, initial, keyOf, link, stable } from '../../src/definition/index.js';
import { dimensionNames } from '../../src/definition/dimension-names.js';
import { createApplication } from '../../src/service/application.js';
import { catalogueOf } from '../../src/service/lists/catalogue.js';
import { addressOf } from '../../src/service/odata-address.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { event, standing } from '../store/records.js';
import { useServer } from '../store/server.js';
import { Berth } from '../entities/berth.js';
import { inJson, inXml, readXml } from './csdl-forms.js';

/*
 * Keys of several parts in lists, addresses and metadata: rows that the tests write, so that no Temporal is needed.
 */
const server = useServer();

/** Its parts have the names of columns, of a link, and of another type's dimension. */
const Odd = defineEntity('Odd', {
  key: z.object({ state: z.string(), next: z.string(), port: z.string(), id: z.string() }),
  properties: z.object({}),
  links: { next: link(Berth) },
  states: { Absent: initial(), Open: stable() },
  events: { open: { in: 'Absent' }, close: { in: 'Open' } },
  actions: { open: { on: 'open', in: 'Absent', to: 'Open' }, close: { on: 'close', in: 'Open', to: 'Absent' } },
});
const modules = [{ name: 'harbour', version: 1, entities: [Berth, Odd] }];
const DIMENSIONS = dimensionNames(modules[0]!.entities);
const ROOT = '/api/harbour/v1';
const BERTHS = `${ROOT}/Berth`;
const catalogue = catalogueOf(modules);

type Parts = Readonly<{ harbour: string; side: 'left' | 'right'; number: number }>;
const berth = (parts: Parts, values: Parameters<typeof standing>[1] = {}) =>
  standing(1, {
    entity: { type: 'Berth', key: keyOf(Berth, parts), life: `life of ${keyOf(Berth, parts)}` },
    ...{ state: 'Open', properties: { label: '' }, ...values },
  });

type Body = Readonly<Record<string, unknown>> & { readonly value: readonly Readonly<Record<string, unknown>>[] };

function asking(store: Pick<Store, 'reader' | 'writer'>) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const application = createApplication({
    reeve: new ReeveClient({ client, entities: modules[0]!.entities }),
    modules,
    log: pino({ level: 'silent' }),
    store: serviceStore(store),
    settings: { pageRows: [10, 50], expandedRows: 1 },
  });
  return async (path: string, options: Readonly<Record<string, string>> = {}, headers = {}) => {
    const url = new URL(path, 'http://127.0.0.1');
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    const response = await application.fetch(new Request(url, { headers }));
    const text = await response.text();
    return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body };
  };
}

async function useHarbour(...records: Parameters<Store['writer']['keep']>[0]) {
  const store = await server.store(DIMENSIONS);
  await store.writer.keep(records);
  return asking(store);
}

const NORTH = { harbour: 'north, quay ~1', side: 'left', number: 7 } as const;
const NORTH_TEXT = 'north~1 quay ~01,left,7';
const fleet = [
  berth(NORTH, { subordinates: { ropes: { bow: { length: 4 } } } }),
  berth({ harbour: 'north', side: 'left', number: 10 }),
  berth({ harbour: 'north', side: 'right', number: -2 }),
  berth({ harbour: 'south', side: 'left', number: 9 }, { links: { next: NORTH_TEXT } }),
];

describe('the parts of keys in lists (S6.2)', () => {
  it('are properties of each row, as what they are', async () => {
    const get = await useHarbour(...fleet);
    const { body } = await get(BERTHS, { $filter: "harbour eq 'north, quay ~1'" });
    expect(body.value).toHaveLength(1);
    expect(body.value[0]).toMatchObject({ key: NORTH_TEXT, ...NORTH });
    const { body: chosen } = await get(BERTHS, { $select: 'number,side', $orderby: 'number' });
    expect(chosen.value).toEqual([
      { number: -2, side: 'right' },
      { number: 7, side: 'left' },
      { number: 9, side: 'left' },
      { number: 10, side: 'left' },
    ]);
  });

  it('are what rows are filtered, ordered, counted and paged by', async () => {
    const get = await useHarbour(...fleet);
    const numbers = async (options: Readonly<Record<string, string>>) =>
      (await get(BERTHS, options)).body.value.map(({ number }) => number);
    expect(await numbers({ $filter: "side eq 'left' and number gt 7", $orderby: 'number desc' })).toEqual([10, 9]);
    expect(await numbers({ $filter: "startswith(harbour,'north') and number in (7,-2)", $orderby: 'number' })).toEqual([
      -2, 7,
    ]);
    expect((await get(BERTHS, { $filter: 'number lt 9', $count: 'true' })).body['@odata.count']).toBe(2);
    const found: unknown[] = [];
    for (let next = `${BERTHS}?$orderby=${encodeURIComponent('number desc')}&$top=4`; next;) {
      const { body } = await get(next, {}, { prefer: 'maxpagesize=1' });
      found.push(...body.value.map(({ number }) => number));
      next = (body['@odata.nextLink'] as string | undefined) ?? '';
    }
    expect(found).toEqual([10, 9, 7, -2]);
  });

  it('are found through links, and of what $expand brings along', async () => {
    const get = await useHarbour(...fleet);
    const { body } = await get(BERTHS, { $filter: 'next/number eq 7', $expand: 'next($select=harbour,number)' });
    expect(body.value).toMatchObject([{ harbour: 'south', next: { harbour: NORTH.harbour, number: 7 } }]);
  });

  it('are nothing where a row has a key of an earlier declaration', async () => {
    const old = standing(1, { entity: { type: 'Berth', key: 'old', life: 'l' }, state: 'Open' });
    const get = await useHarbour(old, ...fleet);
    const { status, body } = await get(BERTHS, { $filter: 'number eq null' });
    expect({ status, value: body.value }).toMatchObject({ status: 200, value: [{ key: 'old', number: null }] });
    const { body: first } = await get(BERTHS, { $orderby: 'number' }, { prefer: 'maxpagesize=1' });
    const rest = await get(first['@odata.nextLink'] as string);
    expect([...first.value, ...rest.body.value].map(({ number }) => number)).toEqual([null, -2, 7, 9, 10]);
  });

  it('have other names where what every entity has is called so', async () => {
    const odd = { state: 'a', next: 'b', port: 'c', id: 'd' };
    const entity = { type: 'Odd', key: keyOf(Odd, odd), life: 'l' };
    const record = standing(1, { entity, state: 'Open', links: { next: NORTH_TEXT } });
    const get = await useHarbour(record, ...fleet);
    const { body } = await get(`${ROOT}/Odd`, {
      $filter: "state_part eq 'a' and state eq 'Open'",
      $expand: 'next_link',
    });
    expect(body.value).toMatchObject([
      { state: 'Open', state_part: 'a', next: 'b', port: 'c', id_part: 'd', next_link: { number: 7 } },
    ]);
    expect(addressOf(`${ROOT}/Odd(state_part='a',next='b',port='c',id_part='d')`, catalogue)).toEqual({
      path: `${ROOT}/Odd/a%2Cb%2Cc%2Cd`,
    });
  });
});

describe('an address of a key with several parts (S6.2)', () => {
  const path = `${BERTHS}/${encodeURIComponent(NORTH_TEXT)}`;

  it('names the parts in any order, or has their text', () => {
    for (const written of [
      "Berth(harbour='north, quay ~1',side='left',number=7)",
      "Berth(number=7,side='left',harbour='north, quay ~1')",
      "Berth(number=007,side=%27left%27,harbour='north%2C%20quay%20~1')",
      `Berth('${NORTH_TEXT}')`,
      `Berth(key='${NORTH_TEXT}')`,
    ]) {
      expect(addressOf(`${ROOT}/${written}`, catalogue), written).toEqual({ path });
    }
    const beneath = addressOf(`${ROOT}/Berth(harbour='n',side='left',number=-7)/ropes('bow')`, catalogue);
    expect(beneath).toEqual({ path: `${BERTHS}/n%2Cleft%2C-7/ropes/bow` });
    const raised = addressOf(`${ROOT}/Berth(harbour='n',side='left',number=7)/harbour.v1.close`, catalogue);
    expect(raised).toEqual({ path: `${BERTHS}/n%2Cleft%2C7/close` });
  });

  it.each([
    ["harbour='n',side='left'", 'the key has 3 parts'],
    ["harbour='n',side='left',number='7'", "'7' is not a number"],
    ["harbour='n',side=7,number=7", 'write 7 in quotes'],
    ["harbour='n',harbour='m',number=7", 'write each part once: harbour, side, number'],
    ["harbour='n',side='left',pier=7", 'write each part once: harbour, side, number'],
    ["harbour='',side='left',number=7", "'' cannot be a key"],
  ])('is malformed with (%s)', (inner, problem) => {
    const segment = `Berth(${inner})`;
    expect(addressOf(`${ROOT}/${segment}`, catalogue)).toEqual({ malformed: { segment, problem } });
  });

  it('leads to the entity, what belongs to it and where it leads', async () => {
    const opened = event('e1', {
      entity: { type: 'Berth', key: NORTH_TEXT, life: `life of ${NORTH_TEXT}` },
      event: 'open',
    });
    const get = await useHarbour(...fleet, opened);
    const at = "Berth(number=7,side='left',harbour='north, quay ~1')";
    const rope = await get(`${ROOT}/${at}/ropes('bow')`);
    expect(rope.body).toMatchObject({
      '@odata.context': `${ROOT}/$metadata#Berth(harbour='north%2C%20quay%20~1',side='left',number=7)/ropes/$entity`,
      ...{ key: 'bow', length: 4 },
    });
    expect((await get(`${ROOT}/${at}/events`)).body.value).toMatchObject([{ event: 'open', keys: NORTH_TEXT }]);
    expect((await get(`${path}/events`)).body.value).toHaveLength(1);
    const south = "Berth(harbour='south',side='left',number=9)";
    expect((await get(`${ROOT}/${south}/next`)).body).toMatchObject({ key: NORTH_TEXT, ...NORTH });
    expect((await get(`${ROOT}/Berth(harbour='nowhere',side='left',number=1)/events`)).status).toBe(404);
    const { body } = await get(BERTHS, { $filter: 'number eq 7', $expand: 'ropes' });
    expect(body.value[0]!['ropes']).toEqual([{ key: 'bow', length: 4 }]);
  });
});

describe('what describes keys of several parts (S6.1, S6.2)', () => {
  const get = asking({} as Pick<Store, 'reader' | 'writer'>);

  it('says in $metadata that the key has them, in both forms', async () => {
    const json = (await get(`${ROOT}/$metadata`, {}, { accept: 'application/json' })).body;
    expect(json['harbour.v1']).toMatchObject({
      Berth: {
        $Key: ['harbour', 'side', 'number'],
        ...{ harbour: {}, number: { $Type: 'Edm.Int64' } },
        side: { '@Org.OData.Validation.V1.AllowedValues': [{ Value: 'left' }, { Value: 'right' }] },
        key: {},
      },
      Odd: { $Key: ['state_part', 'next', 'port', 'id_part'] },
    });
    const xml = await get(`${ROOT}/$metadata`, { $format: 'xml' });
    expect(xml.text).toContain(
      '<Key><PropertyRef Name="harbour"/><PropertyRef Name="side"/><PropertyRef Name="number"/></Key>',
    );
    expect(inXml(readXml(xml.text))).toEqual(inJson(json as never));
  });

  it('shows in the document that a key is given as text or by its parts', async () => {
    const { body } = await get('/openapi.json');
    const { valid, errors } = await new Validator().validate({ ...body });
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    const paths = body['paths'] as Readonly<Record<string, Readonly<Record<string, Call>>>>;
    const { anyOf } = paths[BERTHS]!['post']!.requestBody.content['application/json'].schema;
    expect(anyOf[0]!.properties.key).toMatchObject({
      anyOf: [
        {
          properties: { harbour: { type: 'string' }, side: { enum: ['left', 'right'] }, number: { type: 'integer' } },
          required: ['harbour', 'side', 'number'],
          additionalProperties: false,
        },
        { type: 'string', description: expect.stringContaining('harbour,side,number') as string },
      ],
    });
    const [key] = paths[`${BERTHS}/{key}`]!['get']!.parameters;
    expect(key).toMatchObject({ name: 'key', schema: { type: 'string' } });
    expect((await get('/docs/types.json')).body['Berth']).toMatchObject({
      path: BERTHS,
      key: ['harbour', 'side', 'number'],
    });
  });
});

interface Call {
  readonly parameters: readonly { readonly name: string; readonly schema: unknown }[];
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly anyOf: readonly { readonly properties: { readonly key: unknown } }[] };
      };
    };
  };
}

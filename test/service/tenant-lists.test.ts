import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../src/service/lists/catalogue.js';
import type { EntityModel, Navigation } from '../../src/service/odata/index.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { event, operation, standing, START, transition } from '../store/records.js';
import { useServer } from '../store/server.js';
import type { Answered } from './fleet.js';
import { DEPOTS, depots, DIMENSIONS, lit, MODULE, OPERATOR, READER, story, YARDS } from './depots.js';

const server = useServer();

/** All that a reader of acme may see, also what belongs to an operation that was opened on a yard. */
const OWN: readonly StoreRecord[] = [
  ...lit('hall', 'acme'),
  ...story('oslo', 'acme', { main: 'rome', others: ['rome', 'paris', 'oslo', 'nowhere'], yard: 'big' }),
  ...story('rome', 'acme', { main: 'paris', others: ['paris'] }),
  event('by the yard', {
    ...{ entity: { type: 'Depot', key: 'oslo', life: 'life of oslo' }, operation: 'of the yard', event: 'close' },
    ...{ startedAt: START + 20, startVersion: 2, dimensions: { tenant: 'acme' } },
  }),
];
/** The records that it may not see: of another tenant, of none, and from when a key was another's. */
const OTHERS: readonly StoreRecord[] = [
  ...lit('hall', 'rival'),
  ...lit('attic', undefined),
  ...story('paris', 'rival', { main: 'oslo', others: ['oslo', 'rome'] }),
  ...story('lima', undefined, { main: 'oslo' }),
  ...story('oslo', 'rival', {}, 'an earlier life of oslo').filter(({ kind }) => kind !== 'entity'),
  // The yard's operation shows itself only by its number in the event that acme may see.
  event('yard', {
    ...{ entity: { type: 'Yard', key: 'big', life: 'yard' }, operation: 'of the yard', event: 'close' },
    ...{ error: { kind: 'retryable', code: 'down', message: 'the yard is down' } },
  }),
  transition(1, { entity: { type: 'Yard', key: 'big', life: 'yard' }, operation: 'of the yard', event: 'yard' }),
  standing(1, { entity: { type: 'Yard', key: 'big', life: 'yard' } }),
];
const OF_YARD = operation('of the yard', { name: 'close Yard/big' });

const CATALOGUE = catalogueOf([MODULE]);
const LISTS = [CATALOGUE.store, ...CATALOGUE.modules]
  .flatMap(({ lists }) => lists)
  .filter(({ name }) => name !== 'audit' && name !== 'Yard');

type Options = Readonly<Record<string, string>>;

/** Each way to ask that could tell of a row: as an item, in a count, by what it leads to, and by where it stands. */
function queries(model: EntityModel): readonly Options[] {
  const names = Object.keys(model.properties);
  const $select = names.join(',');
  const plain: readonly Options[] = [
    { $select, $count: 'true' },
    { $select, $top: '1', $orderby: `${names[0]} desc` },
    { $select: model.key.join(','), $expand: '*' },
  ];
  return [...plain, ...model.navigation.flatMap((way) => queriesAlong(model, way, $select))];
}

function queriesAlong(model: EntityModel, { name, many, target }: Navigation, $select: string): readonly Options[] {
  const theirs = target();
  const [key] = theirs.key;
  const inner = `$select=${Object.keys(theirs.properties).join(',')}`;
  const ways = theirs.navigation.map((way) => way.name);
  const deeper = ways.length > 0 ? `;$expand=${ways.map((way) => `${way}($select=${ownKey(theirs, way)})`)}` : '';
  if (!many) {
    return [
      { $select, $expand: `${name}(${inner}${deeper})` },
      { $select, $filter: `${name}/${key} ne null`, $count: 'true' },
      { $select: model.key.join(','), $orderby: `${name}/${key} desc` },
    ];
  }
  return [
    { $select, $expand: `${name}(${inner};$count=true${deeper})` },
    { $select, $filter: `${name}/$count gt 1`, $count: 'true' },
    { $select, $filter: `${name}/any(x:x/${key} ne null)`, $count: 'true' },
    { $select, $filter: `not ${name}/all(x:x/${key} eq null)`, $count: 'true' },
    { $select: model.key.join(','), $orderby: `${name}/$count desc` },
  ];
}

function ownKey({ navigation }: EntityModel, way: string): string {
  return navigation.find(({ name }) => name === way)?.target().key[0] ?? '';
}

/** All that an answer tells, but when a row was written. */
function told({ body }: Answered): string {
  return JSON.stringify(body, (name, value: unknown) => (name === 'written_time' ? undefined : value), 1);
}

async function asked(records: readonly StoreRecord[]) {
  const store = await server.store(DIMENSIONS);
  await store.writer.keep([...records, OF_YARD]);
  return depots(store);
}

describe('lists for an actor of a tenant (S6.2, S6.5)', () => {
  it('say word for word what they would say if nothing else were there: rows, counts, orders, sums', async () => {
    const [mixed, alone] = [await asked([...OTHERS, ...OWN]), await asked(OWN)];
    let different = 0;
    for (const { root, name, model } of LISTS) {
      for (const options of queries(model)) {
        const path = `${root}/${name}`;
        const about = `${path} ${JSON.stringify(options)}`;
        const expected = told(await alone(READER, path, options));
        expect(expected, about).toContain('"value"');
        expect(told(await mixed(READER, path, options)), about).toBe(expected);
        if (told(await mixed(OPERATOR, path, options)) !== expected) different++;
      }
    }
    // There was something to be hidden.
    expect(different).toBeGreaterThan(60);
  });

  it('have all that is theirs', async () => {
    const get = await asked([...OTHERS, ...OWN]);
    const keys = async (path: string, options: Options = {}) =>
      (await get(READER, path, options)).body.value?.map((row) => row['key'] ?? row['keys'] ?? row['name']);
    expect(await keys(DEPOTS)).toEqual(['oslo', 'rome']);
    expect(await keys('/api/entities')).toEqual(['oslo', 'rome']);
    expect(await keys('/api/events', { $orderby: 'keys' })).toEqual(['oslo', 'oslo', 'rome']);
    expect(await keys('/api/operations', { $orderby: 'name' })).toEqual(['open Depot/oslo', 'open Depot/rome']);
    expect((await get(READER, '/api/transitions', { $count: 'true' })).body['@odata.count']).toBe(4);
    expect((await get(READER, '/api/errors', { $orderby: 'error_details' })).body.value).toMatchObject([
      { error_details: 'defect: life of oslo threw' },
      { error_details: 'defect: life of rome threw' },
      { error_details: 'down: all are down' },
      { error_details: 'down: life of oslo is down' },
      { error_details: 'down: life of rome is down' },
    ]);
    // The row says more than its cause.
    const expand = { $orderby: 'name', $expand: 'workflow_error' };
    expect((await get(READER, '/api/operations', expand)).body.value).toMatchObject([
      {
        '@reeve.error': 'down: Depot/oslo: life of oslo is down',
        workflow_error: { error_details: expect.any(String) },
      },
      { '@reeve.error': 'down: Depot/rome: life of rome is down' },
    ]);
    expect((await get(READER, '/api/operation_rollup', { $filter: 'dimension eq null' })).body.value).toMatchObject([
      { name: 'open Depot', total: 2, failed: 2 },
    ]);
    expect((await get(READER, '/api/event_rollup', { $filter: `dimension eq 'region'` })).body.value).toMatchObject([
      { name: 'Depot.open', dimension_value: 'north', total: 2 },
    ]);
  });

  it('answer for what belongs to others as for what is not there: 404', async () => {
    const get = await asked([...OTHERS, ...OWN]);
    const theirs = (await get(OPERATOR, '/api/operations/open%20life%20of%20paris/events')).body.value?.[0];
    expect(theirs).toMatchObject({ keys: 'paris' });
    const told = async (path: string, name: string) => {
      const { status, body } = await get(READER, path);
      return { status, code: body['code'], detail: String(body['detail']).replaceAll(name, 'NAME') };
    };
    const absent = { status: 404, code: 'absent' };
    const none = await told('/api/operations/nope/events', 'nope');
    expect(none).toMatchObject(absent);
    expect(await told('/api/operations/open%20life%20of%20paris/events', 'open life of paris')).toEqual(none);
    expect(await told('/api/operations/of%20the%20yard/events', 'of the yard')).toEqual(none);
    expect(await told(`${DEPOTS}/paris/events`, 'paris')).toEqual(await told(`${DEPOTS}/nobody/events`, 'nobody'));
    expect((await get(READER, `${DEPOTS}/oslo/others`)).body.value?.map(({ key }) => key)).toEqual(['oslo', 'rome']);
    const [own, its] = ['/api/operations/open%20life%20of%20oslo/events', theirs?.['event_id']];
    expect(await told(`${own}/${its}/transitions`, String(its))).toEqual(await told(`${own}/7/transitions`, '7'));
  });

  it('are led to nothing of others by a skip token of somebody else', async () => {
    const get = await asked([...OTHERS, ...OWN]);
    const options = { $orderby: 'key', $select: 'key' };
    const first = await get(OPERATOR, DEPOTS, options, 1);
    expect(first.body.value).toEqual([{ key: 'lima' }]);
    const next = String(first.body['@odata.nextLink']);
    expect((await get(OPERATOR, next)).body.value).toEqual([{ key: 'oslo' }, { key: 'paris' }, { key: 'rome' }]);
    expect((await get(READER, next)).body.value).toEqual([{ key: 'oslo' }, { key: 'rome' }]);
  });
});

describe('lists for a role (S6.2, S6.5)', () => {
  it('have the types alone that it may read, whatever leads to others', async () => {
    const get = await asked([...OTHERS, ...OWN]);
    const reader = { role: 'reader', tenant: '*' };
    expect((await get(reader, YARDS)).status).toBe(403);
    expect((await get(reader, '/api/entities')).body.value?.map(({ key }) => key)).toEqual([
      'lima',
      'oslo',
      'paris',
      'rome',
    ]);
    expect((await get(reader, DEPOTS, { $expand: 'yard', $filter: `key eq 'oslo'` })).body.value).toMatchObject([
      { key: 'oslo', yard: null },
    ]);
    expect((await get(reader, '/api/operations', { $filter: `contains(name,'Yard')` })).body.value).toEqual([]);
    expect((await get(OPERATOR, DEPOTS, { $expand: 'yard', $filter: `key eq 'oslo'` })).body.value).toMatchObject([
      { yard: { key: 'big' } },
    ]);
  });

  it('are closed to those who may read nothing, and to tenants of which nothing is', async () => {
    const get = await asked(OWN);
    for (const path of ['/api', '/api/$metadata', DEPOTS, '/api/operations', '/api/operation_rollup']) {
      expect(await get({ role: 'guest', tenant: '*' }, path), path).toMatchObject({
        status: 403,
        body: { code: 'not_allowed' },
      });
    }
    expect((await get({ role: 'reader', tenant: 'nobody' }, DEPOTS)).body.value).toEqual([]);
    expect((await get({ role: 'operator', tenant: 'acme' }, YARDS)).status).toBe(403);
  });
});

describe('the caller who has raised an event (S5.1, S6.5)', () => {
  it('is that of the first audited request, for those who may read the audit trail alone', async () => {
    const store = await server.store(DIMENSIONS);
    await store.writer.keep(OWN);
    const about = { roles: ['operator'], entity: { type: 'Depot', key: 'oslo' }, operation: 'of the yard' };
    const entries = [
      { subject: 'bob', action: 'raise close', decision: 'allowed', at: START + 9 },
      { subject: 'ann', action: 'raise close', decision: 'allowed', at: START + 8 },
      { subject: 'eve', action: 'raise close', decision: 'denied', at: START + 7 },
      { subject: 'tim', action: 'raise open', decision: 'allowed', at: START + 6 },
      { subject: 'joe', action: 'cancel close', decision: 'allowed', at: START + 5 },
    ] as const;
    await store.writer.audit(entries.map((entry) => ({ ...entry, ...about, id: randomUUID() })));
    const get = await depots(store);
    const callers = async (who: typeof READER) => {
      const { body } = await get(who, '/api/events', { $filter: "keys eq 'oslo'", $orderby: 'event' });
      return body.value?.map(({ event: name, '@reeve.caller': caller }) => [name, caller]);
    };
    expect(await callers(OPERATOR)).toEqual([
      ['close', 'ann'],
      ['open', undefined],
    ]);
    expect(await callers(READER)).toEqual([
      ['close', undefined],
      ['open', undefined],
    ]);
  });
});

describe('the caller who has answered, or canceled (S5.1, S6.5)', () => {
  it('is named beside the call, the event and the operation; each cancel names its own caller, an event of an entity that entity', async () => {
    const store = await server.store(DIMENSIONS);
    const oslo = { type: 'Depot', key: 'oslo', life: 'o' };
    const yard = { type: 'Yard', key: 'north', life: 'y' };
    const call = { call: 'papers.sign', mode: 'callback', startedAt: START, endedAt: START + 60_000 } as const;
    await store.writer.keep([
      operation('late', { name: 'close Depot/oslo', outcome: 'canceled', dimensions: { tenant: 'acme' } }),
      event('late', { entity: oslo, operation: 'late', event: 'close' }),
      event('late/1', { entity: yard, operation: 'late', event: 'shut', position: '1.1' }),
      ...['late/cancel/Yard/north', 'late/cancel/2/Yard/north'].map((id, at) =>
        event(id, {
          entity: yard,
          operation: 'late',
          event: 'leave',
          position: '1.1',
          startedAt: START + 65_000 + at * 4_999,
        }),
      ),
      transition(1, {
        entity: oslo,
        operation: 'late',
        event: 'late',
        calls: [
          { ...call, place: 1 },
          { ...call, place: 2, endedAt: START + 9 },
        ],
      }),
    ]);
    const about = { roles: ['operator'], operation: 'late', decision: 'allowed' } as const;
    const audited = (at: number, subject: string, action: string, more: object = {}) => {
      return { ...about, id: randomUUID(), at: START + at, subject, action, entity: oslo, ...more };
    };
    await store.writer.audit([
      audited(1, 'ann', 'raise close'),
      audited(10, 'ben', 'answer papers.sign'),
      audited(60_001, 'eve', 'answer papers.sign', { reason: 'The entity rejected it: request_conflict.' }),
      audited(60_002, 'cas', 'answer papers.sign'),
      audited(65_003, 'una', 'cancel close'),
      audited(70_000, 'tim', 'cancel close'),
      audited(70_001, 'joe', 'cancel close', { reason: 'It was refused: already_ended.' }),
    ]);
    const get = await depots(store);
    const members = async (who: typeof READER, path: string, ...names: string[]) => {
      const { body } = await get(who, path);
      return body.value?.map((row) => names.map((name) => row[name]));
    };
    expect(await members(OPERATOR, '/api/events?$orderby=event_id', 'event', '@reeve.caller')).toEqual([
      ['close', 'ann'],
      ['shut', 'Depot/oslo'],
      ['leave', 'una'],
      ['leave', 'tim'],
    ]);
    expect(await members(OPERATOR, '/api/calls?$orderby=call_place', 'call_name', '@reeve.caller')).toEqual([
      ['papers.sign', 'cas'],
      ['papers.sign', 'ben'],
    ]);
    expect(await members(OPERATOR, '/api/operations', 'name', '@reeve.cancel_caller')).toEqual([
      ['close Depot/oslo', 'tim'],
    ]);
    expect(await members(READER, '/api/operations', '@reeve.cancel_caller')).toEqual([[undefined]]);
  });
});

describe('the list of the audit trail (S6.2, S6.5)', () => {
  it('tells a cancel that the entities have refused from one that took effect (S4.7)', async () => {
    const store = await server.store(DIMENSIONS);
    const oslo = { type: 'Depot', key: 'oslo', life: 'o' };
    const yard = { type: 'Yard', key: 'north', life: 'y' };
    const asked = (id: string, at: number, values: object = {}) =>
      event(id, {
        entity: oslo,
        operation: 'late',
        event: 'leave',
        startedAt: START + at,
        endedAt: START + at,
        ...values,
      });
    const refused = { error: { kind: 'rejected', code: 'not_valid', message: 'not now' } };
    await store.writer.keep([
      operation('late', { name: 'close Depot/oslo' }),
      asked('late', 0, { event: 'close', endedAt: undefined }),
      asked('late/cancel/Depot/oslo', 1_002, refused),
      asked('late/cancel/Yard/north', 1_005, { ...refused, entity: yard }),
      asked('late/cancel/2/Depot/oslo', 60_000, refused),
      asked('late/cancel/2/Yard/north', 60_001, { entity: yard, endVersion: 3 }),
      asked('late/cancel/3/Depot/oslo', 90_000, { ...refused, endedAt: undefined, error: undefined }),
    ]);
    const cancel = { roles: ['operator'], operation: 'late', decision: 'allowed', entity: oslo } as const;
    const rows = [
      { subject: 'first', at: 1_004, action: 'cancel close' },
      { subject: 'second', at: 59_999, action: 'cancel' },
      { subject: 'third', at: 90_001, action: 'cancel' },
      { subject: 'fourth', at: 90_003, action: 'cancel', reason: 'It was refused: already_ended.' },
      { subject: 'raiser', at: 1_002, action: 'raise close' },
    ];
    await store.writer.audit(rows.map((row) => ({ ...cancel, id: randomUUID(), ...row, at: START + row.at })));
    const { body } = await depots(store)(OPERATOR, '/api/audit', { $orderby: 'time' });
    expect(body.value?.map(({ subject, reason }) => [subject, reason])).toEqual([
      ['raiser', null],
      ['first', 'It was refused: not_valid.'],
      ['second', null],
      ['third', null],
      ['fourth', 'It was refused: already_ended.'],
    ]);
    const one = await depots(store)(OPERATOR, '/api/audit', { $filter: "contains(reason,'not_valid')" });
    expect(one.body.value).toHaveLength(1);
  });

  it('is for operators of all tenants', async () => {
    const store = await server.store(DIMENSIONS);
    const get = depots(store);
    const entry = { at: START, subject: 'ann', roles: ['reader'], decision: 'denied', requestId: 'r' } as const;
    const ids = ['6f0d6b1e-5d50-4c8e-9b51-0d6d3c7c7c11', '6f0d6b1e-5d50-4c8e-9b51-0d6d3c7c7c12'];
    await store.writer.audit(ids.map((id, at) => ({ ...entry, id, action: `read ${at}`, at: START + at })));
    for (const who of [READER, { role: 'reader', tenant: '*' }, { role: 'operator', tenant: 'acme' }]) {
      expect(await get(who, '/api/audit')).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    }
    const options = {
      $filter: `subject eq 'ann' and decision eq 'denied'`,
      $orderby: 'time desc',
      $count: 'true',
      $top: '1',
    };
    expect((await get(OPERATOR, '/api/audit', options)).body).toMatchObject({
      '@odata.count': 2,
      value: [{ action: 'read 1', subject: 'ann', roles: ['reader'] }],
    });
  });
});

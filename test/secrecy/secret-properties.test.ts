import { Client } from '@temporalio/client';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ReeveClient } from '../../src/client/client.js';
import { defineEntity, initial, terminal } from '../../src/definition/index.js';
import { destroyKey, rotateKeys } from '../../src/secrecy/key-changes.js';
import type { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { createApplication, type Application } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, secretProperties, type Store } from '../../src/store/index.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Account } from '../entities/account.js';
import { event, standing, transition } from '../store/records.js';
import { useServer } from '../store/server.js';
import { placesOf, tables } from '../support/secret-scan.js';
import { until } from '../support/until.js';
import { keyFile } from './key-file.js';

const IBAN = 'DE02120300000000202051';
const OWNER = 'Ann Secret';
const server = useServer();
const warnings: string[] = [];
let url: string;
let keys: PayloadKeyFile;
let store: Store;
let application: Application;

const account = (key: string, version = 1) =>
  standing(version, {
    entity: { type: 'Account', key, life: `life of ${key}` },
    state: 'Open',
    properties: { iban: IBAN, owners: [OWNER], branch: 'north' },
    dimensions: { branch: 'north' },
  });

beforeAll(async () => {
  keys = await keyFile();
  url = await server.database();
  store = openStore({
    ...{ url, dimensions: ['branch'], secret: secretProperties([Account]), payloads: { keys } },
    warn: (message) => warnings.push(message),
  });
  await store.migrate();
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  application = createApplication({
    reeve: new ReeveClient({ client, entities: [Account] }),
    modules: [{ name: 'bank', version: 1, entities: [Account] }],
    log: pino({ level: 'silent' }),
    store: serviceStore(store),
  });
});
afterAll(() => store.close());

async function list(query: string) {
  const response = await application.fetch(new Request(`http://127.0.0.1/api/bank/v1/Account?${query}`));
  return { status: response.status, body: (await response.json()) as { value?: readonly object[]; detail?: string } };
}

describe('secret properties (Q5)', () => {
  it('are in no row in the clear, offered or kept, and are read through the service as they are', async () => {
    await store.writer.keep([account('kept')]);
    store.writer.offer([account('offered')]);
    await until(async () => expect((await list('')).body.value).toHaveLength(2));
    const written = await tables(url);
    expect(placesOf([IBAN, OWNER], written)).toEqual([]);
    expect(placesOf(['north'], written)).toEqual(['table reeve_data.entities']);

    const { body } = await list('$orderby=key');
    expect(body.value).toMatchObject([
      { key: 'kept', properties: { iban: IBAN, owners: [OWNER], branch: 'north' } },
      { key: 'offered', properties: { iban: IBAN } },
    ]);
    const selected = await list("$select=properties/iban&$filter=key eq 'kept'");
    expect(selected.body.value).toMatchObject([{ properties: { iban: IBAN } }]);
    const asked = serviceStore(store);
    expect(await asked.entity({ type: 'Account', key: 'kept' })).toMatchObject({ properties: { iban: IBAN } });
  });

  it('can be neither filtered nor sorted, and whoever tries is told why', async () => {
    const wrong = [
      `$filter=properties/iban eq '${IBAN}'`,
      "$filter=startswith(properties/iban,'DE')",
      '$filter=properties/iban ne null',
      `$filter=properties/owners/any(o:o eq 'Ann')`,
      '$filter=properties/owners/$count gt 1',
      '$orderby=properties/iban',
    ];
    for (const query of wrong) {
      const { status, body } = await list(query);
      expect([query, status, body.detail]).toEqual([
        query,
        400,
        expect.stringContaining('the store holds it encrypted'),
      ]);
    }
    expect((await list("$filter=properties/branch eq 'north'")).body.value).toHaveLength(2);
    const metadata = await application.fetch(
      new Request('http://127.0.0.1/api/bank/v1/$metadata', { headers: { accept: 'application/json' } }),
    );
    expect(await metadata.text()).toMatch(/NonSortableProperties":\[[^\]]*"properties\/iban"/);
  });

  it('stand in no message about a row that the database does not take', async () => {
    await store.writer.keep([{ ...account('broken'), bornAt: 1e16 }]);
    expect(warnings.join()).toContain("rejects a row of 'entities'");
    expect(warnings.join()).not.toContain(IBAN);
  });

  it('of a destroyed key say so in their place, and others are read as before', async () => {
    const before = (await keys.current()).id;
    await keys.write(rotateKeys(await keys.read(), undefined, new Date()).content);
    await store.writer.keep([account('kept', 2)]);
    await keys.write(destroyKey(await keys.read(), before, new Date()).content);
    const { body } = await list('$orderby=key');
    expect(body.value).toMatchObject([
      { key: 'kept', properties: { iban: IBAN } },
      {
        key: 'offered',
        properties: { iban: { 'reeve.unreadable': expect.stringContaining(`${before}, which was destroyed at`) } },
      },
    ]);
  });

  it('need keys where the store is opened, and names that are declared', () => {
    expect(() => openStore({ url, dimensions: [], secret: secretProperties([Account]) })).toThrow(
      'Account has secret properties, and no payload keys are given. Set REEVE_PAYLOAD_KEYS',
    );
    const declare = (secret: readonly string[]) =>
      defineEntity('Safe', {
        key: z.string(),
        properties: z.object({ code: z.string().default('') }),
        secret: secret as readonly 'code'[],
        dimensions: { code: 'properties.code' },
        states: { Absent: initial(), Open: terminal() },
        events: { open: { in: 'Absent' } },
        actions: { open: { on: 'open', in: 'Absent', to: 'Open' } },
      });
    expect(() => declare(['cod'])).toThrow("there is no property 'cod'");
    expect(() => declare(['code'])).toThrow("shows the property 'code', which is secret");
  });

  it('are in no row of what has changed, and are read as they were (S5.1)', async () => {
    const entity = { type: 'Account', key: 'changed', life: 'life of changed' };
    const change = (name: string, value: unknown) => ({ part: 'properties', name, value }) as const;
    await store.writer.keep([
      event('create-orders', { entity }),
      transition(1, { entity, changes: [change('iban', IBAN), change('branch', 'north')] }),
      standing(1, { entity }),
    ]);
    expect(placesOf([IBAN, OWNER], await tables(url))).toEqual([]);
    const read = await application.fetch(new Request('http://127.0.0.1/api/bank/v1/Account/changed/as-of/1'));
    expect(await read.json()).toMatchObject({ version: 1, properties: { iban: IBAN, branch: 'north' } });
  });
});

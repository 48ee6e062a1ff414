import { Client } from '@temporalio/client';
import pino from 'pino';
import { expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Depot, Parcel } from '../entities/parcel.js';

const entities = [Depot, Parcel];
/** Only what describes the entities is asked for, so nothing is connected to. */
const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
const application = createApplication({
  reeve: new ReeveClient({ client, entities }),
  modules: [{ name: 'post', version: 1, entities }],
  log: pino({ level: 'silent' }),
});
const read = async (path: string) => {
  const request = new Request(`http://127.0.0.1${path}`, { headers: { accept: 'application/json' } });
  return (await (await application.fetch(request)).json()) as Readonly<Record<string, unknown>>;
};

it('the documents say what only the construction sets, and which links need something to lead to (S1.1, S1.2, S6.1)', async () => {
  const { components, paths } = await read('/openapi.json');
  const sender = { description: 'Only the construction sets it.' };
  const parcel = { properties: { properties: { properties: { sender, kind: sender, weight: { type: 'number' } } } } };
  expect(components).toMatchObject({ schemas: { Parcel: parcel } });
  const { schemas } = components as { schemas: { Parcel: object; SelectedParcel: object } };
  const said = (part: object) => JSON.stringify(part).match(/Only the construction/g);
  for (const read of [schemas.Parcel, schemas.SelectedParcel]) expect(said(read)).toHaveLength(2);
  // Nothing else says it.
  expect(said(schemas)).toHaveLength(4);
  const text = '`depot` has to lead to a Depot that exists: 409 with `link_target_absent` where there is none.';
  expect(paths).toMatchObject({ '/api/post/v1/Parcel': { post: { description: expect.stringContaining(text) } } });
  // Nothing is given to it when it comes to be.
  expect(JSON.stringify(paths)).not.toContain('`passed` has to lead');
  const metadata = await read('/api/post/v1/$metadata');
  const immutable = { '@Org.OData.Core.V1.Immutable': true };
  expect(metadata['post.v1']).toMatchObject({ Parcel_properties: { sender: immutable, kind: immutable } });
  expect(metadata).not.toHaveProperty(['post.v1', 'Parcel_properties', 'weight', '@Org.OData.Core.V1.Immutable']);
});

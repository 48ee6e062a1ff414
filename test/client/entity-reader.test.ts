import { Client } from '@temporalio/client';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

/** A box of which a worker says that it is in a state; its workflow has not ended. */
function boxIn(state: string) {
  const snapshot = { ...new Puppet(Box, 'a').snapshot, state, version: 3 };
  const interceptors = { workflow: [{ query: () => Promise.resolve(snapshot) }] };
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }), interceptors });
  const reeve = new ReeveClient({ client, entities: [Box] });
  const modules = [{ name: 'test', version: 1, entities: [Box] }];
  const application = createApplication({ reeve, modules, log: pino({ level: 'silent' }) });
  const get = (path: string) => application.fetch(new Request(`http://127.0.0.1/api/test/v1/Box/a${path}`));
  return { reeve, get };
}

describe('an entity in its deleted state, whose workflow has yet to end', () => {
  it('reads as gone for the client and over HTTP (S1.3)', async () => {
    const { reeve, get } = boxIn('Deleted');
    expect(await reeve.read({ type: 'Box', key: 'a' })).toMatchObject({ snapshot: { state: 'Deleted' }, gone: true });
    const read = await get('');
    expect(read.status).toBe(410);
    expect(await read.json()).toMatchObject({ code: 'gone', last: { state: 'Deleted' } });
    expect((await get('/allowed-events')).status).toBe(410);
  });

  it('is not taken for one that lives (S1.3)', async () => {
    const { reeve, get } = boxIn('Placed');
    expect((await reeve.read({ type: 'Box', key: 'a' })).gone).toBe(false);
    expect((await get('')).status).toBe(200);
  });
});

import { Client } from '@temporalio/client';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication, type ApplicationOptions } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import type { TestStore } from '../store/server.js';
import { standing, START } from '../store/records.js';
import { useServer } from '../store/server.js';
import { until } from '../support/until.js';
import { rolesAndTenants, type Who } from '../support/who.js';
import { depots, MODULE, OPERATOR, READER, story } from './depots.js';

const server = useServer();
const CHANGES = '/api/changes';

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly position: string;
  readonly more: boolean;
}

/** A store in which something has happened to depots of two tenants and to one of nobody. */
async function filled(): Promise<TestStore> {
  const store = await server.store(['tenant', 'region']);
  await store.writer.keep([...story('oslo', 'acme'), ...story('paris', 'rival'), ...story('lima', undefined)]);
  return store;
}

/** A service without Temporal. */
function serve(options: Pick<ApplicationOptions, 'store' | 'settings'>) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  return createApplication({
    reeve: new ReeveClient({ client, entities: MODULE.entities }),
    modules: [MODULE],
    log: pino({ level: 'silent' }),
    authenticator: rolesAndTenants,
    ...options,
  });
}

const keysOf = ({ items }: Page) => items.map(({ entity_key: key, version }) => `${String(key)} ${String(version)}`);
const pageOf = (answer: { readonly body: object }) => answer.body as Page;

describe('the feed of changes over HTTP (A6)', () => {
  it('is read in pages, and goes on where it was', async () => {
    const ask = depots(await filled());
    const first = pageOf(await ask(OPERATOR, CHANGES, { limit: '4' }));
    expect(keysOf(first)).toEqual(['lima 1', 'lima 2', 'oslo 1', 'oslo 2']);
    expect(first).toMatchObject({ more: true, position: first.items[3]!['position'] });
    expect(first.items[2]).toMatchObject({
      ...{ kind: 'transition', entity_type: 'Depot', entity_key: 'oslo', life: 'life of oslo', tenant: 'acme' },
      ...{ event: 'open', action_name: 'install', outcome: 'failed', error: expect.stringContaining('oslo is down') },
    });
    const second = pageOf(await ask(OPERATOR, CHANGES, { after: first.position }));
    expect(keysOf(second)).toEqual(['paris 1', 'paris 2']);
    expect(second.more).toBe(false);
    expect(pageOf(await ask(OPERATOR, CHANGES, { after: second.position }))).toEqual({ ...second, items: [] });
    expect(pageOf(await ask(OPERATOR, CHANGES, { after: 'now' })).position).toBe(second.position);
  });

  it('shows the changes of the own tenant alone, and those of types that are asked for', async () => {
    const ask = depots(await filled());
    const mine = pageOf(await ask(READER, CHANGES));
    expect(keysOf(mine)).toEqual(['oslo 1', 'oslo 2']);
    expect(mine.position).toBe(pageOf(await ask(OPERATOR, CHANGES, { after: 'now' })).position);
    expect(keysOf(pageOf(await ask(OPERATOR, CHANGES, { types: 'Yard' })))).toEqual([]);
    expect(await ask(READER, CHANGES, { types: 'Yard' })).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect(await ask(OPERATOR, CHANGES, { types: 'Yard,Pier' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'types', message: 'names no type: Pier. The types are: Depot, Yard' }] },
    });
    const nobody = await ask({ role: 'nothing', tenant: 'acme' }, CHANGES);
    expect(nobody).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  it('has what entities wait for, unless only transitions are asked for', async () => {
    const store = await filled();
    const waits = [{ kind: 'answer', on: 'approvals.ask', since: START, until: START + 60_000 }] as const;
    const of = { type: 'Depot', key: 'oslo', life: 'life of oslo' };
    await store.writer.keep([standing(2, { entity: of, at: START + 1_000, waits })]);
    const ask = depots(store);
    const [change, ...more] = pageOf(await ask(READER, CHANGES, { kinds: 'waits' })).items;
    expect(more).toEqual([]);
    const [since, end] = [START, START + 60_000].map((at) => new Date(at).toISOString());
    expect(change).toEqual({
      ...{ position: expect.any(String), kind: 'waits', entity_type: 'Depot', entity_key: 'oslo', life: of.life },
      ...{ version: 2, tenant: 'acme', time: expect.any(String) },
      waits: [{ kind: 'answer', on: 'approvals.ask', event: null, since, until: end }],
    });
    const all = pageOf(await ask(OPERATOR, CHANGES, { kinds: 'transition,waits' }));
    expect(all).toEqual(pageOf(await ask(OPERATOR, CHANGES)));
    expect(all.items).toHaveLength(7);
    expect(pageOf(await ask(OPERATOR, CHANGES, { kinds: 'transition' })).items).toHaveLength(6);
    expect(await ask(OPERATOR, CHANGES, { kinds: 'all' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'kinds' }] },
    });
  });

  it.each(['yesterday', '12', 'x-', 'X-1'])('refuses a position that is none: %j', async (after) => {
    const ask = depots(await server.store(['tenant', 'region']));
    expect(await ask(OPERATOR, CHANGES, { after })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'after' }] },
    });
  });

  it('answers 410 with where it begins to those who come too late, or from another store', async () => {
    const store = await filled();
    const ask = depots(store);
    const { position } = pageOf(await ask(OPERATOR, CHANGES, { limit: '1' }));
    const [name] = position.split('-');
    await store.query('delete from reeve_data.changes where position <= 3');
    await store.query('update reeve_data.feed set trimmed = 3');
    for (const after of [position, `${name}-99`, 'zzz-4']) {
      const answer = await ask(OPERATOR, CHANGES, { after });
      expect(answer, after).toMatchObject({ status: 410, body: { code: 'position_gone', begin: `${name}-3` } });
    }
    expect(keysOf(pageOf(await ask(OPERATOR, CHANGES)))).toEqual(['oslo 2', 'paris 1', 'paris 2']);
  });

  it('tells operators of all tenants who reads it, and how far behind they are (L4)', async () => {
    const ask = depots(await filled());
    const { position } = pageOf(await ask(OPERATOR, CHANGES, { limit: '2' }));
    await ask(OPERATOR, CHANGES, { after: position, listener: 'billing' });
    await ask(READER, CHANGES, { after: 'now', listener: 'billing' });
    await until(async () => {
      const { items } = (await ask(OPERATOR, `${CHANGES}/listeners`)).body as unknown as Page;
      const told = items.map(({ name, behind }) => `${String(name)} ${String(behind)}`);
      expect(told).toEqual(expect.arrayContaining(['acme/billing 0', 'billing 4']));
    });
    expect(await ask(READER, `${CHANGES}/listeners`)).toMatchObject({ status: 403 });
  });

  it('comes as server-sent events, which go on after Last-Event-ID, until the instance stops', async () => {
    const store = await filled();
    const { position } = pageOf(await depots(store)(OPERATOR, CHANGES, { limit: '2' }));
    const [name] = position.split('-');
    const application = serve({ store: serviceStore(store), settings: { lookMs: [20, 20], heartbeatMs: 50 } });
    const follow = async (who: Who, headers: Readonly<Record<string, string>> = {}) => {
      const said = { accept: 'text/event-stream', 'x-role': who.role, 'x-tenant': who.tenant, ...headers };
      const response = await application.fetch(new Request(`http://127.0.0.1${CHANGES}`, { headers: said }));
      const received = { text: '', response, ended: Promise.resolve() };
      received.ended = (async () => {
        for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) received.text += piece;
      })();
      return received;
    };
    const all = await follow(OPERATOR, { 'last-event-id': position });
    const mine = await follow(READER);
    expect(all.response.headers.get('content-type')).toBe('text/event-stream');
    await store.writer.keep(story('rome', 'rival'));
    const idsIn = (text: string) => [...text.matchAll(/event: change\ndata: .*\nid: (.*)\n/g)].map(([, id]) => id);
    await until(async () => expect(idsIn(all.text)).toEqual([3, 4, 5, 6, 7, 8].map((number) => `${name}-${number}`)));
    expect(idsIn(mine.text)).toEqual([`${name}-3`, `${name}-4`]);
    // Others' changes move it on, too, so that it need not look at them again.
    await until(async () => expect(mine.text).toContain(`\n\nid: ${name}-8\n\n`));
    application.stop();
    await Promise.all([all.ended, mine.ended]);
    const late = await follow(OPERATOR);
    await late.ended;
    expect(late.response.status).toBe(503);
    expect(JSON.parse(late.text)).toMatchObject({ code: 'stopping' });
  });

  it('is not there without a store', async () => {
    const headers = { 'x-role': OPERATOR.role, 'x-tenant': OPERATOR.tenant };
    const response = await serve({}).fetch(new Request(`http://127.0.0.1${CHANGES}`, { headers }));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'no_store' });
  });
});

import { Client } from '@temporalio/client';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, ListeningRefused, PositionGone, type ListenOptions } from '../../src/client/listen.js';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { startService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { MODULE, OPERATOR, story } from '../service/depots.js';
import { useServer, type TestStore } from '../store/server.js';
import { until } from '../support/until.js';
import { rolesAndTenants } from '../support/who.js';

const server = useServer();
const headers = { 'x-role': OPERATOR.role, 'x-tenant': OPERATOR.tenant };

/** A service with a store and nothing else. */
async function serve(store: TestStore, port = 0) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const application = createApplication({
    reeve: new ReeveClient({ client, entities: MODULE.entities }),
    modules: [MODULE],
    log: pino({ level: 'silent' }),
    authenticator: rolesAndTenants,
    store: serviceStore(store),
  });
  return startService(application, { port });
}

/** Listens until the test ends it, and remembers what it has heard. */
function listener(options: ListenOptions) {
  const heard: string[] = [];
  const ending = new AbortController();
  let position = options.after;
  const ended = listen({ ...options, signal: ending.signal }, (change) => {
    heard.push(`${change.entity_key} ${change.version}`);
    position = change.position;
  });
  const end = async () => {
    ending.abort();
    await ended;
    return position;
  };
  onTestFinished(async () => void (await end().catch(() => undefined)));
  return { heard, ended, end };
}

describe('a listener in code (A6)', () => {
  it('hears of each change in order, over a restart of the service, and goes on after what it has kept', async () => {
    const store = await server.store(['tenant', 'region']);
    const first = await serve(store);
    const { port } = new URL(first.url);
    const options = { service: first.url, headers, types: ['Depot'], name: 'billing' };
    const one = listener(options);
    await store.writer.keep(story('oslo', 'acme'));
    await until(async () => expect(one.heard).toEqual(['oslo 1', 'oslo 2']));
    await first.stop();
    await store.writer.keep(story('rome', 'acme'));
    const second = await serve(store, Number(port));
    onTestFinished(async () => second.stop());
    await until(async () => expect(one.heard).toEqual(['oslo 1', 'oslo 2', 'rome 1', 'rome 2']));
    const after = await one.end();
    await store.writer.keep(story('lima', undefined));
    const other = listener({ ...options, after });
    await until(async () => expect(other.heard).toEqual(['lima 1', 'lima 2']));
    expect(one.heard).toHaveLength(4);
  });

  it('is told where the feed begins when it comes too late, and when it may not listen', async () => {
    const store = await server.store(['tenant', 'region']);
    const service = await serve(store);
    onTestFinished(async () => service.stop());
    await store.writer.keep(story('oslo', 'acme'));
    const late = await listen({ service: service.url, headers, after: 'zzz-1' }, () => undefined).catch(
      (t: unknown) => t,
    );
    expect(late).toBeInstanceOf(PositionGone);
    const { begin } = late as PositionGone;
    const again = listener({ service: service.url, headers, after: begin });
    await until(async () => expect(again.heard).toEqual(['oslo 1', 'oslo 2']));
    const nobody = listen({ service: service.url, headers: { ...headers, 'x-role': 'nothing' } }, () => undefined);
    await expect(nobody).rejects.toThrow(ListeningRefused);
    const other = createServer((_, response) => response.writeHead(200).end('<p>Welcome!</p>')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await expect(listen({ service: address }, () => undefined)).rejects.toThrow(
      `There is no feed of changes at ${address}`,
    );
    await expect(listen({ service: address, headers: { 'not right': 'x' } }, () => undefined)).rejects.toThrow(
      TypeError,
    );
  });

  it('ends with the failure of its handler, and hears of that change again', async () => {
    const store = await server.store(['tenant', 'region']);
    const service = await serve(store);
    onTestFinished(async () => service.stop());
    await store.writer.keep(story('oslo', 'acme'));
    let kept: string | undefined;
    const failing = listen({ service: service.url, headers }, (change) => {
      if (change.version === 2) throw new Error('the printer is out of paper');
      kept = change.position;
    });
    await expect(failing).rejects.toThrow('the printer is out of paper');
    const again = listener({ service: service.url, headers, after: kept });
    await until(async () => expect(again.heard).toEqual(['oslo 2']));
  });
});

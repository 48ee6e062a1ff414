import { serve } from '@hono/node-server';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Clients from '../../examples/handlers/clients.js';
import { Website } from '../../examples/handlers/website.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** An example that takes requests. */
interface Handler {
  /** Sends a request, over HTTP where the example has a server. The names of headers are lower case. */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Response>;
  close(): Promise<unknown>;
}

/** How each example is started. All of them have the clients of one module, which connects when it is loaded. */
const HANDLERS: Readonly<Record<string, () => Promise<Handler>>> = {
  async hono() {
    const { app } = await import('../../examples/handlers/hono.js');
    return served(serve({ fetch: app.fetch, port: 0 }) as Server);
  },
  async express() {
    const { app } = await import('../../examples/handlers/express.js');
    return served(app.listen(0));
  },
  async fastify() {
    const { app } = await import('../../examples/handlers/fastify.js');
    const address = await app.listen({ port: 0 });
    return { post: postTo(address), close: () => app.close() };
  },
  async next() {
    const routes = await import('../../examples/handlers/next.js');
    return {
      async post(path, headers, body) {
        const { event, ...place } = placeOf(path);
        const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body });
        return event === undefined
          ? routes.postVisit(request, { params: Promise.resolve(place) })
          : routes.POST(request, { params: Promise.resolve({ ...place, event }) });
      },
      close: async () => undefined,
    };
  },
  async lambda() {
    const routes = await import('../../examples/handlers/lambda.js');
    return {
      async post(path, headers, text) {
        const { site, event = '' } = placeOf(path);
        const body = Buffer.from(text).toString('base64');
        const gatewayEvent = { headers, pathParameters: { site, event }, body, isBase64Encoded: true };
        const answer = await (event === '' ? routes.visit(gatewayEvent) : routes.raise(gatewayEvent));
        return new Response('body' in answer ? answer.body : null, { status: answer.statusCode });
      },
      close: async () => undefined,
    };
  },
};

/** Cases that are refused: how the request differs from ada's, who gives the website a title; and the status and code of the answer. */
const REFUSED: readonly [string, Partial<Asked>, number, RegExp][] = [
  ['a caller who has no token', { token: '' }, 401, /^not_authenticated$/],
  ['a caller whose token is wrong', { token: 'constructor' }, 401, /^not_authenticated$/],
  ['a role that may not', { token: 'token-of-vic' }, 403, /^not_allowed$/],
  ['another tenant', { token: 'token-of-bob' }, 404, /^absent$/],
  ['a website that does not exist', { site: 'nowhere' }, 404, /^absent$/],
  ['an event that does not exist', { event: 'explode' }, 404, /^unknown_event$/],
  ['an event of operators', { event: 'reeve_retry' }, 403, /^not_allowed$/],
  ['an event at the wrong time', { event: 'publish', body: '{}' }, 409, /^not_valid$/],
  ['wrong parameters', { body: '{"title": 1}' }, 400, /^invalid_parameters$/],
  ['a body that is no JSON', { body: '{"title": ' }, 400, /^(malformed|FST_ERR_CTP_INVALID_JSON_BODY)$/],
];

interface Asked {
  readonly site: string;
  readonly event: string;
  readonly token: string;
  readonly body: string;
  readonly key?: string;
}

let service: TestService;
let clients: typeof Clients;
beforeAll(async () => {
  service = await startTestService({
    workflows: '../examples/handlers/workflows.ts',
    declarations: ['../examples/handlers/website.ts'],
    entities: [Website],
    resources: [],
  });
  vi.stubEnv('TEMPORAL_ADDRESS', service.environment.address);
  vi.stubEnv('TEMPORAL_NAMESPACE', service.namespace);
  clients = await import('../../examples/handlers/clients.js');
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await clients?.temporal.connection.close();
  await service.close();
});

describe.each(Object.keys(HANDLERS))('the example for %s', (name) => {
  let handler: Handler;
  beforeAll(async () => {
    await service.reeve.create(Website, name, 'publish', { tenant: 'acme' });
    handler = await HANDLERS[name]!();
  });
  afterAll(() => handler?.close());

  const properties = async () => (await service.reeve.read({ type: 'Website', key: name })).snapshot.properties;
  const raise = async (asked: Partial<Asked> = {}) => {
    const { site = name, event = 'edit', body = '{"title": "Hello"}', ...rest } = asked;
    const response = await handler.post(`/websites/${site}/events/${event}`, headersOf(rest), body);
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };
  const visit = async ({ site = name, ...rest }: Partial<Asked>) =>
    (await handler.post(`/websites/${site}/visits`, headersOf(rest), '{}')).status;

  it('answers an update with its outcome, and runs the same key once (S2.5, S4.7)', async () => {
    const first = await raise({ key: 'one' });
    expect(first).toMatchObject({ status: 202, body: { status: 'accepted', outcome: { state: 'Live' } } });
    const again = await raise({ key: 'one' });
    expect(again.body).toMatchObject({ operation: first.body['operation'], repeated: true });
    expect(await properties()).toMatchObject({ title: 'Hello', edits: 1 });
    expect((await raise({ key: 'one', body: '{"title": "Other"}' })).status).toBe(422);
    await raise();
    await raise();
    expect((await properties())['edits']).toBe(3);
  });

  it.each(REFUSED)('refuses %s (S2.2, S6.5)', async (_, asked, status, code) => {
    const before = await properties();
    const answer = await raise(asked);
    expect(answer).toEqual({
      status,
      body: expect.objectContaining({ code: expect.stringMatching(code), message: expect.stringMatching(/./) }),
    });
    expect(await properties()).toEqual(before);
  });

  it('takes a signal for its caller, and runs the same key once (S2.5, S6.5)', async () => {
    const visitor = { token: 'token-of-vic' };
    expect(await visit({ ...visitor, key: 'two' })).toBe(202);
    expect(await visit({ ...visitor, key: 'two' })).toBe(202);
    expect(await visit({ token: 'token-of-bob' })).toBe(202);
    await until(async () => {
      const { snapshot } = await service.reeve.read({ type: 'Website', key: name });
      expect(snapshot.dropped?.reason).toMatch(/another tenant/);
    });
    expect(await visit(visitor)).toBe(202);
    // The signals of an entity come one after the other.
    await until(async () => expect((await properties())['visits']).toBeGreaterThan(1));
    expect((await properties())['visits']).toBe(2);
    expect(await visit({ token: '' })).toBe(401);
    expect(await visit({ site: 'nowhere' })).toBe(404);
  });
});

describe('docs/guides/handlers.md', () => {
  it.each(['hono.ts', 'caller.ts'])('shows %s as it is', async (file) => {
    const [page, code] = await Promise.all(
      ['docs/guides/handlers.md', `examples/handlers/${file}`].map((path) =>
        readFile(new URL(`../../${path}`, import.meta.url), 'utf8'),
      ),
    );
    expect(page).toContain(`\`\`\`ts\n// ${file}\n${code}\`\`\``);
  });
});

function headersOf({ token = 'token-of-ada', key }: Partial<Asked>): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
}

/** The parameters in a path, as a router finds them. */
function placeOf(path: string): { readonly site: string; readonly event?: string } {
  const [, , site = '', , event] = path.split('/');
  return { site, ...(event !== undefined && { event }) };
}

async function served(server: Server): Promise<Handler> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    post: postTo(`http://localhost:${port}`),
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

function postTo(address: string): Handler['post'] {
  return (path, headers, body) => fetch(`${address}${path}`, { method: 'POST', headers, body });
}

import { Hono } from 'hono';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../src/protocol/actor.js';
import { createApiKey, findApiKey, type ApiKeyRecord } from '../../src/service/authentication/api-key.js';
import { ApiKeyFile } from '../../src/service/authentication/api-key-file.js';
import { CredentialsAuthenticator } from '../../src/service/authentication/credentials-authenticator.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { authenticatorFrom } from '../../src/service/authentication/environment.js';
import { declared } from '../../src/service/declared.js';
import { developmentAuthenticator } from '../../src/service/authentication/development.js';
import type { ServiceEnv } from '../../src/service/context.js';
import { guardRequests } from '../../src/service/requests-guard.js';
import { RefusalsOfNobody } from '../../src/service/refusals-of-nobody.js';
import { DEFAULT_SETTINGS } from '../../src/service/settings.js';
import { isLoopback, startService } from '../../src/service/server.js';
import { addressOf, CallbackKeys } from '../../src/temporal/callback-address.js';
import { Vault } from '../entities/vault.js';

const alice: Actor = { subject: 'alice', tenant: 'acme', roles: ['owner'] };
const NOW = new Date('2026-01-01T00:00:00Z');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-keys-'));
});
afterAll(async () => rm(folder, { recursive: true }));

const asking = (headers: Readonly<Record<string, string>>, url = 'http://127.0.0.1/api/x') =>
  new Request(url, { headers });

describe('an API key (S6.5)', () => {
  it('is right only as a whole, and until it expires', () => {
    const { key, record } = createApiKey(alice, NOW, new Date(NOW.getTime() + 1_000));
    const other = createApiKey(alice, NOW);
    const records = [other.record, record];
    expect(findApiKey(records, key, NOW.getTime())).toBe(record);
    expect(findApiKey(records, key, NOW.getTime() + 1_000)).toBeUndefined();
    expect(findApiKey([other.record], key, NOW.getTime())).toBeUndefined();
    const mixed = `${key.slice(0, 16)}${other.key.slice(16)}`;
    for (const wrong of [mixed, key.slice(0, -1), `${key}A`, 'rk_', `rk_${record.id}_${record.hash}`]) {
      expect(findApiKey(records, wrong, NOW.getTime()), wrong).toBeUndefined();
    }
  });

  it('cannot be found in what is kept of it', () => {
    const { key, record } = createApiKey(alice, NOW);
    expect(JSON.stringify(record)).not.toContain(key.slice(16));
    expect(createApiKey(alice, NOW).key).not.toBe(key);
  });

  it('has a tenant, or all of them by name', () => {
    expect(() => createApiKey({ ...alice, tenant: '' }, NOW)).toThrow();
    expect(() => createApiKey({ ...alice, roles: [] }, NOW)).toThrow();
    expect(createApiKey({ ...alice, tenant: '*' }, NOW).record.tenant).toBe('*');
  });
});

describe('those who show a key (S6.5)', () => {
  const write = async (name: string, keys: readonly ApiKeyRecord[]) => {
    const path = join(folder, name);
    await new ApiKeyFile(path).write(keys);
    return path;
  };

  it('are known by it in either header, not with two, and no longer once it is revoked', async () => {
    const { key, record } = createApiKey(alice, NOW);
    const path = await write('known.json', [record]);
    expect((await stat(path)).mode & 0o077).toBe(0);
    const authenticator = new CredentialsAuthenticator({ keys: new ApiKeyFile(path) });
    const who = async (headers: Readonly<Record<string, string>>) =>
      (await authenticator.authenticate(asking(headers)))?.actor;
    expect(await who({ authorization: `Bearer ${key}` })).toEqual(alice);
    expect(await who({ 'x-api-key': key })).toEqual(alice);
    expect(await who({ authorization: `Bearer ${key}`, 'x-api-key': key })).toBeUndefined();
    expect(await who({ authorization: `Basic ${key}` })).toBeUndefined();
    expect(await who({ authorization: `Bearer ${key}, Bearer ${key}` })).toBeUndefined();
    expect(await who({ 'x-api-key': `${key}, ${key}` })).toBeUndefined();
    expect(await who({ authorization: 'Bearer a.b.c' })).toBeUndefined();
    expect(await who({})).toBeUndefined();
    await new ApiKeyFile(path).write([]);
    expect(await who({ authorization: `Bearer ${key}` })).toBeUndefined();
  });

  it('get 503 while the keys cannot be read, so that nobody is let in or turned away by mistake', async () => {
    const { key, record } = createApiKey(alice, NOW);
    const path = await write('broken.json', [record]);
    const authenticator = new CredentialsAuthenticator({ keys: new ApiKeyFile(path) });
    await appendFile(path, 'nonsense');
    await expect(authenticator.authenticate(asking({ 'x-api-key': key }))).rejects.toMatchObject({ status: 503 });
    expect(await readFile(path, 'utf8')).toContain('nonsense');
  });
});

describe('the settings (S6.5)', () => {
  it('are refused when they are incomplete or wrong, and say nothing when there are none', async () => {
    expect(await authenticatorFrom({})).toBeUndefined();
    await expect(authenticatorFrom({ REEVE_API_KEYS: join(folder, 'missing') })).rejects.toThrow(
      /missing, which does not exist\. Make it/,
    );
    await expect(authenticatorFrom({ REEVE_JWT_ISSUER: 'x' })).rejects.toThrow('REEVE_JWT_KEYS');
    const tokens = { REEVE_JWT_KEYS: 'https://id.example/keys', REEVE_JWT_ISSUER: 'i', REEVE_JWT_AUDIENCE: 'a' };
    await expect(authenticatorFrom({ ...tokens, REEVE_JWT_ALGORITHMS: 'HS256' })).rejects.toThrow('cannot be trusted');
    expect((await authenticatorFrom(tokens))?.open).toBeUndefined();
  });
});

describe('a service without authentication (S6.5)', () => {
  it('is for this machine, and for no page of another site', async () => {
    const development = developmentAuthenticator([Vault]);
    expect((await development.authenticate(asking({})))?.actor).toEqual({
      subject: 'developer',
      tenant: '*',
      roles: ['operator', 'owner', 'reader'],
    });
    expect(await development.authenticate(asking({}, 'http://rebound.example/api/x'))).toBeUndefined();
    expect(await development.authenticate(asking({ origin: 'https://evil.example' }))).toBeUndefined();
    expect(await development.authenticate(asking({ origin: 'null' }))).toBeUndefined();
    expect(await development.authenticate(asking({ host: 'rebound.example' }))).toBeUndefined();
    expect(await development.authenticate(asking({ host: '[::1]:80' }))).toBeDefined();
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', '', '127.0.0.1.example', 'example'])(
    'does not listen on %j',
    async (host) => {
      const application = { open: true, fetch: () => new Response(), stop: () => undefined };
      await expect(startService(application, { host })).rejects.toThrow('REEVE_API_KEYS');
    },
  );

  it('listens on what only this machine reaches', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].every(isLoopback)).toBe(true);
  });
});

describe('an answer at a signed address of a service without authentication (S6.5)', () => {
  it('is recorded as of the developer where it comes from the own page, and else as of the address', async () => {
    const keys = new CallbackKeys(randomBytes(32).toString('base64'));
    const of = { type: 'Vault', key: 'a', life: 'life-1' };
    const { url } = addressOf({ url: 'http://127.0.0.1/api', keys }, { id: 'q', until: Date.now() + 60_000, of });
    const entries: AuditEntry[] = [];
    const audit = { record: (entry: AuditEntry) => void entries.push(entry) };
    const served = new Hono<ServiceEnv>();
    served.use(async (context, next) => {
      context.set('requestId', 'r');
      context.set('log', pino({ level: 'silent' }));
      await next();
    });
    served.use(
      guardRequests({
        ...{ authenticator: developmentAuthenticator([Vault]), declared: declared([Vault]), audit, callbacks: keys },
        ...{ refusals: new RefusalsOfNobody(audit), rates: DEFAULT_SETTINGS.rates, log: pino({ level: 'silent' }) },
      }),
    );
    served.post('/api/callbacks/:token', async (context) => {
      context.var.guard.answer(keys.questionOf(context.req.param('token'))!);
      await context.var.guard.entity(Promise.resolve());
      return context.text('answered');
    });
    const address = 'callback of Vault/a';
    for (const [headers, subject] of [
      [{}, address],
      [{ origin: 'http://127.0.0.1' }, 'developer'],
      [{ origin: 'https://elsewhere.example' }, address],
    ] as const) {
      expect((await served.request(url, { method: 'POST', headers })).status).toBe(200);
      expect(entries.at(-1)).toMatchObject({ actor: { subject, tenant: '*' }, access: { action: 'answer' } });
    }
  });
});

describe('a route on which nobody has decided (S6.5, guard.1)', () => {
  it('answers 500 and nothing of what it has found, and 401 before it is even asked', async () => {
    let asked = 0;
    const audit = { record: () => undefined };
    const authenticator = { authenticate: async () => ({ actor: alice, until: Infinity }) };
    const nobody = { authenticate: async () => undefined };
    const app = (who: typeof authenticator | typeof nobody) => {
      const served = new Hono<ServiceEnv>();
      served.use(async (context, next) => {
        context.set('requestId', 'r');
        context.set('log', pino({ level: 'silent' }));
        await next();
      });
      served.use(
        guardRequests({
          authenticator: who,
          declared: declared([Vault]),
          audit,
          ...{ refusals: new RefusalsOfNobody(audit), rates: DEFAULT_SETTINGS.rates },
          log: pino({ level: 'silent' }),
        }),
      );
      served.get('/forgotten', (context) => (asked++, context.text('secret')));
      served.get('/half', (context) => {
        context.var.guard.permit({ action: 'read', entity: { type: 'Vault', key: 'a' } });
        return context.text('secret');
      });
      served.onError((_, context) => context.text('problem', 500));
      return served;
    };
    expect((await app(nobody).request('/forgotten')).status).toBe(500);
    expect(asked).toBe(0);
    for (const path of ['/forgotten', '/half']) {
      const answered = await app(authenticator).request(path);
      expect(answered.status).toBe(500);
      expect(await answered.text()).not.toContain('secret');
    }
  });
});

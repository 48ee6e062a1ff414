import { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { EncryptingCodec } from '../../src/secrecy/payload-codec.js';
import { codecServerFrom } from '../../src/service/codec-server.js';
import { createApplication, type Application, type ApplicationOptions } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Account } from '../entities/account.js';
import { rolesAndTenants } from '../support/who.js';
import { keyFile } from './key-file.js';

const UI = 'http://127.0.0.1:8233';
const audited: AuditEntry[] = [];
const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
let codec: NonNullable<ApplicationOptions['codec']>;
let known: Application;
let development: Application;
let encrypted: object;

function serve(options: Partial<ApplicationOptions>): Application {
  return createApplication({
    reeve: new ReeveClient({ client, entities: [Account] }),
    modules: [{ name: 'bank', version: 1, entities: [Account] }],
    log: pino({ level: 'silent' }),
    audit: { record: (entry) => void audited.push(entry) },
    ...options,
  });
}

beforeAll(async () => {
  const payloads = { keys: await keyFile() };
  codec = codecServerFrom({ REEVE_CODEC_ORIGINS: UI }, payloads, 'default')!;
  known = serve({ codec, authenticator: rolesAndTenants });
  development = serve({ codec });
  const [made] = await new EncryptingCodec(payloads, 'default').encode([
    defaultPayloadConverter.toPayload({ iban: 'X1' })!,
  ]);
  const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64');
  const metadata = Object.entries(made!.metadata!).map(([name, value]) => [name, base64(value)] as const);
  encrypted = { metadata: Object.fromEntries(metadata), data: base64(made!.data!) };
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(
  application: Application,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const init = {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  };
  const request = new Request(`http://127.0.0.1${path}`, { method: body ? 'POST' : 'OPTIONS', ...init });
  const response = await application.fetch(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const clear = ({ text }: Answer): unknown => {
  const [{ data }] = (JSON.parse(text) as { payloads: [{ data: string }] }).payloads;
  return JSON.parse(Buffer.from(data, 'base64').toString());
};
const who = (role: string, tenant: string) => ({ 'x-role': role, 'x-tenant': tenant });

describe('the codec server (Q5)', () => {
  it('decrypts for operators of all tenants alone, and each decision is in the audit trail', async () => {
    const body = { payloads: [encrypted] };
    expect(clear(await ask(known, '/codec/decode', who('operator', '*'), body))).toEqual({ iban: 'X1' });
    for (const other of [who('operator', 'acme'), who('reader', '*')]) {
      const { status, text } = await ask(known, '/codec/decode', other, body);
      expect([status, text]).toEqual([403, expect.stringContaining('It needs the role operator for all tenants')]);
    }
    expect((await ask(known, '/codec/decode', {}, body)).status).toBe(401);
    const decisions = audited.map(({ access, decision }) => ['list' in access && access.list, decision]);
    expect(decisions).toContainEqual(['payloads', 'allowed']);
    expect(decisions).toContainEqual(['payloads', 'denied']);
  });

  it('encrypts what it decrypts, and keeps namespaces apart', async () => {
    const payloads = [
      {
        metadata: { encoding: Buffer.from('json/plain').toString('base64') },
        // It is long, so that neither the name of a key nor encrypted bytes have it by chance.
        data: Buffer.from(JSON.stringify({ iban: 'DE89370400440532013000' })).toString('base64'),
      },
    ];
    const made = await ask(known, '/codec/encode', who('operator', '*'), { payloads });
    expect(made.text).not.toContain(payloads[0]!.data);
    const back = JSON.parse(made.text) as object;
    const named = { ...who('operator', '*'), 'x-namespace': 'default' };
    expect(clear(await ask(known, '/codec/decode', named, back))).toEqual({ iban: 'DE89370400440532013000' });
    const elsewhere = await ask(known, '/codec/decode', { ...who('operator', '*'), 'x-namespace': 'other' }, back);
    expect(elsewhere).toMatchObject({ status: 404, text: expect.stringContaining('not of other') });
  });

  it('answers pages of the named sites, and of no others', async () => {
    const asks = {
      origin: UI,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-namespace',
    };
    const preflight = await ask(development, '/codec/decode', asks);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(UI);
    const body = { payloads: [encrypted] };
    const answered = await ask(development, '/codec/decode', { origin: UI }, body);
    expect([clear(answered), answered.headers.get('access-control-allow-origin')]).toEqual([{ iban: 'X1' }, UI]);

    const evil = { ...asks, origin: 'http://evil.example' };
    expect((await ask(development, '/codec/decode', evil)).headers.get('access-control-allow-origin')).toBeNull();
    const refused = await ask(development, '/codec/decode', { origin: 'http://evil.example' }, body);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, null]);
    // The named site may use the codec server, and nothing else.
    const request = new Request('http://127.0.0.1/api/operations', { headers: { origin: UI } });
    expect((await development.fetch(request)).status).toBe(401);
  });

  it('is in the document of the API, is not there where nothing is encrypted, and refuses sites that are none', async () => {
    const none = await ask(serve({}), '/codec/decode', {}, { payloads: [] });
    expect(none).toMatchObject({ status: 404, text: expect.stringContaining('not_found') });
    const told = await (await known.fetch(new Request('http://127.0.0.1/openapi.json'))).json();
    expect(told).toMatchObject({
      paths: { '/codec/decode': { post: { operationId: 'decodePayloads' } }, '/codec/encode': {} },
    });
    const { keys } = { keys: await keyFile() };
    expect(() => codecServerFrom({ REEVE_CODEC_ORIGINS: 'evil' }, { keys }, 'default')).toThrow(
      "REEVE_CODEC_ORIGINS has 'evil'",
    );
  });
});

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeySetAway, TokenVerifier, type TokenRules } from '../../src/service/authentication/json-web-token.js';

const rules: TokenRules = { algorithms: ['ES256', 'RS256'], issuer: 'https://id.example', audience: 'reeve' };
const claims = { sub: 'alice', tenant: 'acme', roles: ['owner'] };
let signer: CryptoKey;
let rsa: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
let set: { readonly keys: readonly Record<string, unknown>[] };

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  rsa = await generateKeyPair('RS256', { extractable: true });
  signer = pair.privateKey;
  set = {
    keys: [
      { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' },
      { ...(await exportJWK(rsa.publicKey)), kid: 'two' },
    ],
  };
});

interface Told {
  readonly claims?: object;
  readonly header?: object;
  readonly expires?: string | undefined;
  readonly issuer?: string;
  readonly audience?: string;
  readonly key?: CryptoKey | Uint8Array;
}

function token(told: Told = {}): Promise<string> {
  const jwt = new SignJWT({ ...claims, ...told.claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...told.header })
    .setIssuedAt()
    .setIssuer(told.issuer ?? rules.issuer)
    .setAudience(told.audience ?? rules.audience);
  if (!('expires' in told) || told.expires !== undefined) jwt.setExpirationTime(told.expires ?? '5m');
  return jwt.sign(told.key ?? signer);
}

const verify = (text: string, other: Partial<TokenRules> = {}) =>
  new TokenVerifier({ ...rules, ...other }, set).verify(text);

describe('a JSON Web Token (S6.5)', () => {
  it('tells who somebody is, for which tenant and with which roles, and until when', async () => {
    const verified = await verify(await token());
    expect(verified?.actor).toEqual({ subject: 'alice', tenant: 'acme', roles: ['owner'] });
    expect(verified!.until).toBeGreaterThan(Date.now() + 4 * 60_000);
    expect(verified!.until).toBeLessThan(Date.now() + 6 * 60_000);
  });

  it('can have its roles and tenant in claims of other names, roles as words too, and none at all', async () => {
    const named = await token({ claims: { roles: undefined, tenant: undefined, scope: 'reader owner', org: '*' } });
    expect((await verify(named, { rolesClaim: 'scope', tenantClaim: 'org' }))?.actor).toMatchObject({
      tenant: '*',
      roles: ['reader', 'owner'],
    });
    expect((await verify(await token({ claims: { roles: undefined } })))?.actor.roles).toEqual([]);
  });

  it.each<[string, Told]>([
    ['has ended', { expires: '-2m' }],
    ['never ends', { expires: undefined }],
    ['is of another issuer', { issuer: 'https://evil.example' }],
    ['is for another audience', { audience: 'other' }],
    ['has a key that nobody knows', { header: { kid: 'unknown' } }],
    ['has a path for a key', { header: { kid: '../../dev/null' } }],
    ['says of nobody', { claims: { sub: '' } }],
    ['names no tenant', { claims: { tenant: undefined } }],
    ['has no name for a tenant', { claims: { tenant: 'a/b' } }],
    ['has a list for a tenant', { claims: { tenant: ['*'] } }],
    ['has a number for its roles', { claims: { roles: 7 } }],
    ['demands what is not understood', { header: { crit: ['exotic'], exotic: true } }],
  ])('is refused when it %s', async (_, told) => {
    const sign = token(told).catch(() => 'a.b.c');
    expect(await verify(await sign)).toBeUndefined();
  });

  it('is refused without a signature, and with one that is not of this token', async () => {
    const unsigned = new UnsecuredJWT(claims)
      .setIssuer(rules.issuer)
      .setAudience(rules.audience)
      .setExpirationTime('5m');
    expect(await verify(unsigned.encode())).toBeUndefined();
    const [header, , signature] = (await token()).split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, tenant: '*', iss: rules.issuer, aud: 'reeve', exp: 9e9 }));
    expect(await verify(`${header}.${other.toString('base64url')}.${signature}`)).toBeUndefined();
    expect(await verify('nonsense')).toBeUndefined();
  });

  it('is refused when a public key was used as a secret, and when it brings its own key', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(rsa.publicKey));
    const header = { alg: 'HS256', kid: 'two' };
    expect(await verify(await token({ header, key: secret }))).toBeUndefined();
    const mine = await generateKeyPair('ES256', { extractable: true });
    const jwk = (await exportJWK(mine.publicKey)) as JWK;
    expect(await verify(await token({ header: { jwk }, key: mine.privateKey }))).toBeUndefined();
    const jku = { jku: 'http://127.0.0.1:1/keys' };
    expect(await verify(await token({ header: jku, key: mine.privateKey }))).toBeUndefined();
  });

  it('is refused with an algorithm that is not named, though the key is known', async () => {
    const text = await token({ header: { alg: 'RS256', kid: 'two' }, key: rsa.privateKey });
    expect(await verify(text)).toBeDefined();
    expect(await verify(text, { algorithms: ['ES256'] })).toBeUndefined();
  });

  it('may have ended within the skew of the clocks', async () => {
    expect(await verify(await token({ expires: '-10s' }))).toBeDefined();
    expect(await verify(await token({ expires: '-10s' }), { clockSkew: 0 })).toBeUndefined();
  });
});

describe('the rules for tokens (S6.5)', () => {
  it.each(['HS256', 'none', 'dir'])('do not take %s', (name) => {
    expect(() => new TokenVerifier({ ...rules, algorithms: ['ES256', name] }, set)).toThrow(
      `'${name}' cannot be trusted`,
    );
  });

  it('take neither no algorithm, nor secrets, nor keys over an open line', () => {
    expect(() => new TokenVerifier({ ...rules, algorithms: [] }, set)).toThrow('no algorithm');
    expect(() => new TokenVerifier(rules, { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] })).toThrow('public keys only');
    expect(() => new TokenVerifier(rules, { keys: [{ ...set.keys[0]!, d: 'x' }] })).toThrow('public keys only');
    expect(() => new TokenVerifier(rules, new URL('http://id.example/keys'))).toThrow('Use https');
    expect(() => new TokenVerifier({ ...rules, audience: '' }, set)).toThrow('audience');
  });
});

describe('keys at an address (S6.5)', () => {
  it('are fetched once for many tokens, and not again and again for unknown ones; while they are away nobody is refused', async () => {
    let fetched = 0;
    let works = true;
    const server = createServer((_, answer) => {
      fetched++;
      answer.writeHead(works ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(set));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`);
      const verifier = new TokenVerifier(rules, address);
      expect(await verifier.verify(await token())).toBeDefined();
      expect(await verifier.verify(await token())).toBeDefined();
      expect(fetched).toBe(1);
      for (let count = 0; count < 5; count++) {
        expect(await verifier.verify(await token({ header: { kid: `unknown-${count}` } }))).toBeUndefined();
      }
      expect(fetched).toBe(1);
      works = false;
      await expect(new TokenVerifier(rules, address).verify(await token())).rejects.toThrow(KeySetAway);
    } finally {
      server.close();
    }
    await expect(new TokenVerifier(rules, new URL('http://127.0.0.1:1/keys')).verify(await token())).rejects.toThrow(
      KeySetAway,
    );
  });

  it('are read no further than 1 MB, so that an answer without an end takes no memory, and nobody is refused for it', async () => {
    let sent = 0;
    const server = createServer((_, answer) => {
      const endless = function* () {
        yield '{"keys":[';
        for (const block = ' '.repeat(64 * 1024); ; sent += block.length) yield block;
      };
      // It ends when nobody reads any more.
      pipeline(Readable.from(endless()), answer, () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`);
      const refused = await new TokenVerifier(rules, address).verify(await token()).catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(KeySetAway);
      expect(refused).toHaveProperty('cause.cause.message', expect.stringContaining('more than 1 MB'));
      // Some of it was on its way.
      expect(sent).toBeLessThan(16 * 1024 * 1024);
    } finally {
      server.close();
    }
  });
});

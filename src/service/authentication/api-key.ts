import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ALL_TENANTS, TENANT_NAME, type Actor } from '../../protocol/actor.js';

/*
 * Keys for programs have the form `rk_<id>_<secret>`. Only a hash of the secret is kept. The secret has 256 random bits, so it
 * cannot be guessed from a plain hash.
 */

const KEY = /^rk_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

export const apiKeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{12}$/, 'is not the id of a key'),
  /** The SHA-256 of the secret, in base64url. */
  hash: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is not a hash'),
  subject: z.string().min(1).max(256),
  tenant: z.string().refine((name) => name === ALL_TENANTS || TENANT_NAME.test(name), "is neither a tenant nor '*'"),
  roles: z
    .array(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'is not the name of a role'))
    .min(1)
    .max(64),
  created: z.iso.datetime(),
  expires: z.iso.datetime().optional(),
});

/** A key as it is kept. */
export type ApiKeyRecord = z.output<typeof apiKeyRecord>;

/** Makes a new key. It is shown only this once. */
export function createApiKey(
  { subject, tenant, roles }: Actor,
  created: Date,
  expires?: Date,
): { readonly key: string; readonly record: ApiKeyRecord } {
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const record = apiKeyRecord.parse({
    ...{ id, hash: hashOf(secret).toString('base64url'), subject, tenant, roles: [...roles] },
    created: created.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
  });
  return { key: `rk_${id}_${secret}`, record };
}

/** Tells whether a token has the form of a key. */
export function isApiKey(token: string): boolean {
  return token.startsWith('rk_');
}

/** The record of a key, if the key is right and has not expired. `now` is in milliseconds since 1970. */
export function findApiKey(records: readonly ApiKeyRecord[], key: string, now: number): ApiKeyRecord | undefined {
  const [, id, secret] = KEY.exec(key) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const record = records.find((each) => each.id === id);
  if (!record) return undefined;
  const right = timingSafeEqual(hashOf(secret), Buffer.from(record.hash, 'base64url'));
  const over = record.expires !== undefined && Date.parse(record.expires) <= now;
  return right && !over ? record : undefined;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/** In bytes: AES-256. */
const KEY_BYTES = 32;

/** A key by which payloads are encrypted. Q5 */
export interface PayloadKey {
  /** Stands in the clear beside all that was encrypted with the key. */
  readonly id: string;
  /** 32 random bytes. No payload is encrypted with them: see `data-key.ts`. */
  readonly secret: Uint8Array;
}

/**
 * Describes where the keys come from: a file, or what wraps them, such as a key management service. Q5
 */
export interface PayloadKeys {
  /**
   * The key with which is encrypted now. It is asked for with each payload, so a key that is at hand is better given at once: a promise
   * costs as much as to encrypt. @throws Error for people, when there is none
   */
  current(): PayloadKey | Promise<PayloadKey>;
  /** A key by its id. @throws KeyRefused when it is not known, or is destroyed */
  find(id: string): PayloadKey | Promise<PayloadKey>;
}

/** Describes a key in a file of keys. A destroyed key has no secret any more, and is kept so that errors can show when. */
export const keyRecord = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,64}$/),
  created: z.iso.datetime(),
  secret: z.base64().optional(),
  destroyed: z.iso.datetime().optional(),
});

export type KeyRecord = z.output<typeof keyRecord>;

/** A new key, whose id says when it was made. */
export function makeKey(now: Date): KeyRecord & { readonly secret: string } {
  const day = now.toISOString().slice(0, 10);
  return {
    id: `${day}-${randomBytes(4).toString('hex')}`,
    created: now.toISOString(),
    secret: randomBytes(KEY_BYTES).toString('base64'),
  };
}

/** @throws TypeError when it does not have 32 bytes */
export function secretOf(id: string, written: string): Uint8Array {
  const secret = Buffer.from(written, 'base64');
  if (secret.length === KEY_BYTES) return secret;
  throw new TypeError(`The payload key ${id} has ${secret.length} bytes and not ${KEY_BYTES}.`);
}

/*
 * Encrypts with keys that are derived: AES-256-GCM by keys of HKDF. Q5
 *
 * data-key.1. Each process derives a data key of its own, by 16 random bytes, and counts its uses. Before the 2^32nd use it derives
 *     the next one. So no key is used more often than AES-GCM with random nonces allows, and no process has to know of others.
 * data-key.2. The key's id and the purpose (such as the namespace) are authenticated with each text: what was encrypted for one place
 *     cannot be put in another.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomFillSync,
  type KeyObject,
} from 'node:crypto';
import type { PayloadKey } from './payload-key.js';

/** In bytes. What it gives is salt, nonce, tag and what was encrypted. */
const SALT = 16;
const NONCE = 12;
const TAG = 16;
const ALGORITHM = 'aes-256-gcm';
/** NIST SP 800-38D, 8.3: so often may random nonces of 12 bytes be used with one key. */
const MOST_USES = 2 ** 32;
/** How many data keys of others are remembered. */
const REMEMBERED = 1_000;

interface DataKey {
  readonly of: PayloadKey;
  readonly salt: Buffer;
  readonly key: KeyObject;
  uses: number;
}

/** The data that is authenticated with a text. data-key.2 */
interface Authenticated {
  readonly id: string;
  readonly purpose: string;
  readonly bytes: Buffer;
}

/** Encrypts and decrypts with payload keys. */
export class DataKeys {
  readonly #mostUses: number;
  #own: DataKey | undefined;
  readonly #known = new Map<string, KeyObject>();
  readonly #nonces = new Nonces();
  #authenticated: Authenticated | undefined;

  constructor(mostUses = MOST_USES) {
    this.#mostUses = mostUses;
  }

  /** How often the data key was used with which is encrypted now. */
  get uses(): number {
    return this.#own?.uses ?? 0;
  }

  encrypt(key: PayloadKey, purpose: string, plain: Uint8Array): Uint8Array {
    const own = this.#take(key);
    const nonce = this.#nonces.next();
    const cipher = createCipheriv(ALGORITHM, own.key, nonce);
    cipher.setAAD(this.#authenticates(key, purpose));
    const encrypted = cipher.update(plain);
    cipher.final();
    return Buffer.concat([own.salt, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** @throws Error when it was not encrypted with this key for this purpose, or was changed */
  decrypt(key: PayloadKey, purpose: string, encrypted: Uint8Array): Uint8Array {
    const bytes = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength);
    try {
      const nonce = bytes.subarray(SALT, SALT + NONCE);
      const decipher = createDecipheriv(ALGORITHM, this.#derive(key, bytes.subarray(0, SALT)), nonce, {
        authTagLength: TAG,
      });
      decipher.setAAD(this.#authenticates(key, purpose));
      decipher.setAuthTag(bytes.subarray(SALT + NONCE, SALT + NONCE + TAG));
      const plain = decipher.update(bytes.subarray(SALT + NONCE + TAG));
      decipher.final();
      return plain;
    } catch {
      throw new Error(
        `This was not encrypted with the payload key ${key.id} for '${purpose}', or it was changed since then.`,
      );
    }
  }

  #take(key: PayloadKey): DataKey {
    let own = this.#own;
    if (!own || own.of !== key || own.uses >= this.#mostUses) {
      const salt = randomBytes(SALT);
      own = { of: key, salt, key: derive(key, salt), uses: 0 };
      this.#own = own;
    }
    own.uses++;
    return own;
  }

  /** data-key.2 */
  #authenticates({ id }: PayloadKey, purpose: string): Buffer {
    // Nearly always it is what it was for the payload before.
    let known = this.#authenticated;
    if (known?.id !== id || known.purpose !== purpose) {
      known = { id, purpose, bytes: Buffer.from(JSON.stringify([id, purpose])) };
      this.#authenticated = known;
    }
    return known.bytes;
  }

  #derive(key: PayloadKey, salt: Buffer): KeyObject {
    const name = `${key.id} ${salt.toString('latin1')}`;
    const known = this.#known.get(name);
    if (known) return known;
    const derived = derive(key, salt);
    if (this.#known.size >= REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(name, derived);
    return derived;
  }
}

function derive({ secret }: PayloadKey, salt: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, 'reeve payload 1', 32)));
}

/** Random nonces, made many at a time: to ask for random bytes costs as much as to encrypt. */
class Nonces {
  readonly #bytes = Buffer.alloc(NONCE * 512);
  #at = this.#bytes.length;

  next(): Buffer {
    if (this.#at === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#at = 0;
    }
    // It is used before the next ones are made.
    const nonce = this.#bytes.subarray(this.#at, this.#at + NONCE);
    this.#at += NONCE;
    return nonce;
  }
}

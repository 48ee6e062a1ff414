import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { DataKeys } from './data-key.js';
import { withoutKeys } from './key-refused.js';
import type { PayloadKey } from './payload-key.js';
import type { PayloadSettings } from './payload-settings.js';

const { Payload: message } = proto.temporal.api.common.v1;

/** The names that other codecs of Temporal use as well. */
const ENCODING = 'encoding';
const KEY_ID = 'encryption-key-id';
const ENCRYPTED = Buffer.from('binary/encrypted');

/** The first byte of what is encrypted: whether the rest is compressed. */
const PLAIN = 0;
const DEFLATED = 1;
/** Smaller payloads are not compressed, in bytes: nothing would be won. */
const WORTH_BYTES = 512;

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Encrypts what Temporal stores of workflows: payloads, memos, summaries and errors. Q5 */
export class EncryptingCodec implements PayloadCodec {
  readonly #settings: PayloadSettings;
  readonly #purpose: string;
  readonly #dataKeys = new DataKeys();

  constructor(settings: PayloadSettings, namespace: string) {
    this.#settings = settings;
    this.#purpose = `temporal ${namespace}`;
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const { keys } = this.#settings;
    if (!keys || payloads.length === 0) return payloads;
    const given = keys.current();
    const key = 'then' in given ? await given : given;
    const metadata = { [ENCODING]: ENCRYPTED, [KEY_ID]: Buffer.from(key.id) };
    const sealed: Payload[] = [];
    for (const payload of payloads) {
      const bytes = message.encode(payload).finish();
      // To wait costs as much as to encrypt, and nothing has to be waited for where nothing is compressed.
      const plain = this.#isCompressed(bytes) ? await compressed(bytes) : marked(PLAIN, bytes);
      sealed.push({ metadata, data: this.#dataKeys.encrypt(key, this.#purpose, plain) });
    }
    return sealed;
  }

  /** @throws KeyRefused; Error when it was encrypted for another namespace, was changed, or was not encrypted at all */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    const opened: Payload[] = [];
    for (const payload of payloads) {
      const one = this.#open(payload);
      opened.push(one instanceof Promise ? await one : one);
    }
    return opened;
  }

  #open(payload: Payload): Payload | Promise<Payload> {
    const { keys, readsClear } = this.#settings;
    if (!isEncrypted(payload)) {
      if (!keys || readsClear) return payload;
      throw new Error(
        'A payload is not encrypted, but this process has payload keys, from REEVE_PAYLOAD_KEYS or the data directory. ' +
          'Its sender needs the same keys. ' +
          'REEVE_PAYLOAD_PLAINTEXT=read lets such payloads pass, while a fleet moves to encryption.',
      );
    }
    const id = keyIdOf(payload);
    if (!keys) throw withoutKeys(id);
    const encrypted = payload.data ?? new Uint8Array();
    const key = keys.find(id);
    return 'then' in key ? key.then((found) => this.#decrypt(found, encrypted)) : this.#decrypt(key, encrypted);
  }

  #decrypt(key: PayloadKey, encrypted: Uint8Array): Payload | Promise<Payload> {
    const plain = this.#dataKeys.decrypt(key, this.#purpose, encrypted);
    const rest = plain.subarray(1);
    return plain[0] === DEFLATED ? inflate(rest).then(read) : read(rest);
  }

  #isCompressed(bytes: Uint8Array): boolean {
    return this.#settings.compresses === true && bytes.length >= WORTH_BYTES;
  }
}

async function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  const deflated = await deflate(bytes);
  return deflated.length < bytes.length ? marked(DEFLATED, deflated) : marked(PLAIN, bytes);
}

function marked(mark: number, bytes: Uint8Array): Uint8Array {
  const whole = Buffer.allocUnsafe(1 + bytes.length);
  whole[0] = mark;
  whole.set(bytes, 1);
  return whole;
}

function read(bytes: Uint8Array): Payload {
  const { metadata, data } = message.decode(bytes);
  // The payloads that the SDK takes are plain objects.
  return { metadata, data };
}

function isEncrypted({ metadata }: Payload): boolean {
  const encoding = metadata?.[ENCODING];
  return encoding !== undefined && ENCRYPTED.equals(encoding);
}

function keyIdOf({ metadata }: Payload): string {
  const { buffer, byteOffset, byteLength } = metadata?.[KEY_ID] ?? new Uint8Array();
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

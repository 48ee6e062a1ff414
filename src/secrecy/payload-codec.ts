import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { DataKeys } from './data-key.js';
import { withoutKeys } from './key-refused.js';
import type { PayloadSettings } from './payload-settings.js';

const { Payload: message } = proto.temporal.api.common.v1;

/** The names that other codecs of Temporal use as well. */
const ENCODING = 'encoding';
const ENCRYPTED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

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
    const key = await keys.current();
    const metadata = { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(key.id) };
    const encrypt = async (payload: Payload): Promise<Payload> => {
      const plain = await this.#pack(message.encode(payload).finish());
      return { metadata, data: this.#dataKeys.encrypt(key, this.#purpose, plain) };
    };
    return Promise.all(payloads.map(encrypt));
  }

  /** @throws KeyRefused; Error when it was encrypted for another namespace, was changed, or was not encrypted at all */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.#open(payload)));
  }

  async #open(payload: Payload): Promise<Payload> {
    const { keys, readsClear } = this.#settings;
    if (textOf(payload, ENCODING) !== ENCRYPTED) {
      if (!keys || readsClear) return payload;
      throw new Error(
        'A payload is not encrypted, though REEVE_PAYLOAD_KEYS is set here. Whoever has sent it needs the same keys. ' +
          'REEVE_PAYLOAD_CLEAR=read lets such payloads pass, while a fleet moves to encryption.',
      );
    }
    const id = textOf(payload, KEY_ID);
    if (!keys) throw withoutKeys(id);
    const encrypted = payload.data ?? new Uint8Array();
    const plain = this.#dataKeys.decrypt(await keys.find(id), this.#purpose, encrypted);
    const rest = plain.subarray(1);
    const decoded = message.decode(plain[0] === DEFLATED ? await inflate(rest) : rest);
    // What the SDK takes are plain objects.
    return { metadata: decoded.metadata, data: decoded.data };
  }

  async #pack(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#settings.compresses && bytes.length >= WORTH_BYTES) {
      const deflated = await deflate(bytes);
      if (deflated.length < bytes.length) return Buffer.concat([Uint8Array.of(DEFLATED), deflated]);
    }
    return Buffer.concat([Uint8Array.of(PLAIN), bytes]);
  }
}

function textOf({ metadata }: Payload, name: string): string {
  const value = metadata?.[name];
  return value ? Buffer.from(value).toString() : '';
}

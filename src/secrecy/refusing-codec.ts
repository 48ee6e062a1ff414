import type { Payload, PayloadCodec } from '@temporalio/common';
import { KeyRefused } from './key-refused.js';
import { refusedPayload } from './refused-payload.js';

/**
 * Lets a worker go on where a payload is refused for good: in its place comes one that no converter reads. So it
 * fails what it belongs to, and not the whole workflow task. A key that is missing here may be there in a moment, so that is still thrown.
 * S1.5a
 */
export class RefusingCodec implements PayloadCodec {
  readonly #codec: PayloadCodec;

  constructor(codec: PayloadCodec) {
    this.#codec = codec;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return this.#codec.encode(payloads);
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    try {
      return await this.#codec.decode(payloads);
    } catch {
      // One of them.
      return Promise.all(payloads.map((payload) => this.#decodeOne(payload)));
    }
  }

  async #decodeOne(payload: Payload): Promise<Payload> {
    try {
      const [decoded] = await this.#codec.decode([payload]);
      return decoded!;
    } catch (thrown) {
      if (thrown instanceof KeyRefused) throw thrown;
      return refusedPayload(String(thrown));
    }
  }
}

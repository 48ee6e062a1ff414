import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomically } from '../stack/files.js';
import { destroyedKey, unknownKey } from './key-refused.js';
import { keyRecord, secretOf, type KeyRecord, type PayloadKey, type PayloadKeys } from './payload-key.js';

const content = z.strictObject({ current: z.string().optional(), keys: z.array(keyRecord) });

/** All that a file of payload keys holds. */
export type KeyFileContent = z.output<typeof content>;

/** After this time, in milliseconds, a key that was rotated or destroyed is so in each process that has the file. */
const KNOWN_FOR_MS = 1_000;

/** The keys of a file (`REEVE_PAYLOAD_KEYS`). It is read again when it has changed, so that keys rotate while processes run. Q5 */
export class PayloadKeyFile implements PayloadKeys {
  readonly path: string;
  #seen = '';
  #lookedAt = -Infinity;
  #content: KeyFileContent = { keys: [] };
  #keys: ReadonlyMap<string, PayloadKey> = new Map();

  constructor(path: string) {
    this.path = path;
  }

  /** @throws Error that names the file, when it cannot be read or has no current key */
  current(): PayloadKey | Promise<PayloadKey> {
    return this.#isFresh() ? this.#current() : this.#look().then(() => this.#current());
  }

  find(id: string): PayloadKey | Promise<PayloadKey> {
    const key = this.#isFresh() ? this.#keys.get(id) : undefined;
    // Another process may have made the key just now.
    return key ?? this.#look().then(() => this.#known(id));
  }

  #current(): PayloadKey {
    const { current } = this.#content;
    const key = current === undefined ? undefined : this.#keys.get(current);
    if (key) return key;
    throw new Error(`${this.path} has no current payload key. Make one: reeve payload-keys rotate.`);
  }

  #known(id: string): PayloadKey {
    const key = this.#keys.get(id);
    if (key) return key;
    const destroyed = this.#content.keys.find((each) => each.id === id)?.destroyed;
    throw destroyed === undefined ? unknownKey(id, this.path) : destroyedKey(id, destroyed);
  }

  /** Returns what the file holds now. @throws Error that names the file and says what is wrong */
  async read(): Promise<KeyFileContent> {
    await this.#look();
    return this.#content;
  }

  /** Replaces all that the file holds. The file is made where it does not exist. Only its owner can read it. */
  async write(keys: KeyFileContent): Promise<void> {
    await writeFileAtomically(this.path, `${JSON.stringify(keys, undefined, 2)}\n`);
    this.#lookedAt = -Infinity;
  }

  #isFresh(): boolean {
    return performance.now() - this.#lookedAt < KNOWN_FOR_MS;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const { mtimeMs, size, ino } = await stat(this.path).catch((thrown: NodeJS.ErrnoException) => {
      const why = thrown.code === 'ENOENT' ? 'it does not exist' : thrown.message;
      throw Object.assign(
        new Error(`The file of payload keys ${this.path} (REEVE_PAYLOAD_KEYS) cannot be read: ${why}.`),
        {
          cause: thrown,
          code: thrown.code,
        },
      );
    });
    const seen = `${ino} ${mtimeMs} ${size}`;
    if (seen !== this.#seen) {
      const read = parse(this.path, await readFile(this.path, 'utf8'));
      this.#keys = new Map(read.keys.flatMap((record) => keyOf(record)));
      this.#content = read;
      this.#seen = seen;
    }
    this.#lookedAt = now;
  }
}

function keyOf({ id, secret }: KeyRecord): readonly (readonly [string, PayloadKey])[] {
  return secret === undefined ? [] : [[id, { id, secret: secretOf(id, secret) }]];
}

function parse(path: string, text: string): KeyFileContent {
  try {
    return content.parse(JSON.parse(text));
  } catch (thrown) {
    // The text has secrets, so no part of it may stand in an error: that of JSON.parse quotes it.
    const why = thrown instanceof z.ZodError ? z.prettifyError(thrown) : 'it is not JSON';
    throw new Error(`${path} is not a file of payload keys: ${why}. Make one with reeve payload-keys create.`);
  }
}

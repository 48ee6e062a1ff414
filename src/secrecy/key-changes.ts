import { makeKey, type KeyRecord } from './payload-key.js';
import type { KeyFileContent } from './payload-key-file.js';

/** A change that was asked for cannot be made with the keys. The message is for people. */
export class KeyChangeRefused extends Error {
  override readonly name = 'KeyChangeRefused';
}

interface Changed {
  readonly content: KeyFileContent;
  /** The key that was made, or that is now used, or that is destroyed. */
  readonly key: KeyRecord;
}

/** Adds a key. The first one is used at once; others are only known, until they are rotated to. Q5 */
export function createKey({ current, keys }: KeyFileContent, now: Date): Changed {
  const key = makeKey(now);
  return { content: { current: current ?? key.id, keys: [...keys, key] }, key };
}

/**
 * Encrypts with another key from now on: with the one that is named, or else with a new one. The keys before it go on to decrypt. Q5
 * @throws KeyChangeRefused
 */
export function rotateKeys(content: KeyFileContent, id: string | undefined, now: Date): Changed {
  if (content.current === undefined) {
    throw new KeyChangeRefused(
      `There is no key, so nothing is encrypted. 'reeve payload-keys create' makes the first one; ` +
        `a stack that already has data then needs REEVE_PAYLOAD_PLAINTEXT=read.`,
    );
  }
  if (id === undefined) {
    const made = createKey(content, now);
    return { ...made, content: { ...made.content, current: made.key.id } };
  }
  const key = keyNamed(content, id);
  if (key.destroyed !== undefined) throw new KeyChangeRefused(`The key ${id} was destroyed at ${key.destroyed}.`);
  return { content: { ...content, current: id }, key };
}

/**
 * Forgets the secret of a key: what was encrypted with it can no longer be read. Q5
 * @throws KeyChangeRefused
 */
export function destroyKey(content: KeyFileContent, id: string, now: Date): Changed {
  const { secret: _, ...known } = keyNamed(content, id);
  if (content.current === id) {
    throw new KeyChangeRefused(
      `The key ${id} is the one that is used. Use another one first: reeve payload-keys rotate.`,
    );
  }
  const key = { ...known, destroyed: known.destroyed ?? now.toISOString() };
  return { content: { ...content, keys: content.keys.map((each) => (each.id === id ? key : each)) }, key };
}

function keyNamed({ keys }: KeyFileContent, id: string): KeyRecord {
  const key = keys.find((each) => each.id === id);
  if (key) return key;
  throw new KeyChangeRefused(`There is no key '${id}'. 'reeve payload-keys list' shows all keys.`);
}

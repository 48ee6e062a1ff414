/*
 * Addresses to which calls are answered from outside: signed names, which nobody has to store and nobody can make up. A1, C2
 *
 * callback-address.1. A token authorises one answer to one round of one call of one life of an entity, until a time, and nothing
 *     else. It is minted where the provider is called, and stands in no history, snapshot, row, log or error.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { CallbackQuestion } from '../protocol/callback.js';
import { livingRef } from '../protocol/refs.js';

/** In bytes. */
const SHORTEST_KEY = 32;

/** Describes where calls are answered from outside, and the keys with which the addresses are signed. */
export interface CallbackSettings {
  /** Of the service, as those outside reach it: `https://reeve.example.com/api`. */
  readonly url: string;
  readonly keys: CallbackKeys;
}

/** The address to which one answer can be sent. */
export interface CallbackAddress {
  /** Names what is answered, as `reeve callbacks` does. */
  readonly id: string;
  readonly url: string;
  readonly token: string;
}

const named = z.object({
  id: z.string(),
  until: z.number(),
  of: livingRef,
  call: z.string().exactOptional(),
  event: z.string().exactOptional(),
  operation: z.string().exactOptional(),
});

/**
 * How calls are answered from outside: `REEVE_CALLBACK_KEYS`, and `REEVE_CALLBACK_URL`, which is the address of the service as those
 * outside reach it (`https://reeve.example.com/api`). Nothing where neither is set.
 * @throws TypeError when they are not right
 */
export function callbackSettingsFrom(env: NodeJS.ProcessEnv): CallbackSettings | undefined {
  const [keys, url] = [env['REEVE_CALLBACK_KEYS'], env['REEVE_CALLBACK_URL']];
  if (!keys && !url) return undefined;
  if (!keys || !url || !URL.canParse(url))
    throw new TypeError(
      'Calls that are answered from outside need REEVE_CALLBACK_KEYS and the REEVE_CALLBACK_URL of the service.',
    );
  return { url, keys: new CallbackKeys(keys) };
}

/** The secrets that workers and services share. The first one signs; the others are of before, and still hold. */
export class CallbackKeys {
  readonly #keys: readonly Buffer[];

  /**
   * @param written keys in base64, as in `REEVE_CALLBACK_KEYS`, apart by commas
   * @throws TypeError when there is none, or one is shorter than 32 bytes
   */
  constructor(written: string) {
    this.#keys = written
      .split(',')
      .filter((each) => each.trim() !== '')
      .map((each) => Buffer.from(each.trim(), 'base64'));
    if (this.#keys.length > 0 && this.#keys.every(({ length }) => length >= SHORTEST_KEY)) return;
    throw new TypeError(
      `REEVE_CALLBACK_KEYS needs keys of at least ${SHORTEST_KEY} bytes in base64, separated by commas. Make one: openssl rand -base64 32`,
    );
  }

  /** The token by which a question is answered. */
  tokenOf(question: CallbackQuestion): string {
    const said = Buffer.from(JSON.stringify(question)).toString('base64url');
    return `${said}.${sign(this.#keys[0]!, said)}`;
  }

  /** The question of a token; nothing where it was not made with one of the keys. Its time may be over. */
  questionOf(token: string): CallbackQuestion | undefined {
    const [said, signature, ...more] = token.split('.');
    if (!said || !signature || more.length > 0) return undefined;
    if (!this.#keys.some((key) => isSame(sign(key, said), signature))) return undefined;
    const parsed = named.safeParse(parseJson(Buffer.from(said, 'base64url').toString()));
    return parsed.success ? parsed.data : undefined;
  }
}

/** Where one question is answered. */
export function addressOf({ url, keys }: CallbackSettings, question: CallbackQuestion): CallbackAddress {
  const token = keys.tokenOf(question);
  return { id: question.id, url: `${url.replace(/\/$/, '')}/callbacks/${token}`, token };
}

function sign(key: Buffer, said: string): string {
  return createHmac('sha256', key).update(said).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

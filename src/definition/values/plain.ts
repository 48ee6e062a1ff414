/*
 * The values that can be stored and sent: those of JSON, and nothing that JSON would change without a word.
 *
 * plain.1. A member that is `undefined` is the same as none. In a list, `undefined` would become null, and is refused.
 * plain.2. `-0` is the number 0.
 * plain.3. The copy shares nothing with the value: whoever changes that later changes nothing here.
 */

import { isThrown, messageOf } from '../thrown.js';

/** Why a value cannot be stored: `{ path: 'bag.n', message: 'a BigInt cannot be stored. ...' }`. */
interface PlainProblem {
  readonly path: string;
  readonly message: string;
}

type Plainly = { readonly plain: true; readonly value: unknown } | ({ readonly plain: false } & PlainProblem);

/** PostgreSQL and most readers of JSON give up somewhere above. */
const DEEPEST = 500;
/** An object that is shared many times over is written out each time. */
const MOST_VALUES = 1_000_000;

/**
 * Copies a value as JSON carries it, or says where and why it cannot. Never throws.
 * @param place above the path of a problem: `properties`
 * @param stored whether it goes to the store, which takes no NUL and no half of a character
 */
export function plainCopy(value: unknown, place = '', stored = false): Plainly {
  const walk = new Walk(stored);
  try {
    return { plain: true, value: walk.copy(value) };
  } catch (thrown) {
    const path = [...(place === '' ? [] : [place]), ...walk.path].join('.');
    const message = isThrown(thrown, NotPlain) ? thrown.message : `cannot be read: ${messageOf(thrown)}`;
    return { plain: false, path, message };
  }
}

class NotPlain extends Error {}

class Walk {
  readonly path: string[] = [];
  readonly #stored: boolean;
  readonly #above: object[] = [];
  #values = 0;

  constructor(stored: boolean) {
    this.#stored = stored;
  }

  copy(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.#checkText(value);
        return value;
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw new NotPlain(`${value} is no number of JSON. Use null.`);
        // plain.2
        return value === 0 ? 0 : value;
      case 'object':
        return value === null ? null : this.#copyObject(value);
      case 'bigint':
        throw new NotPlain('a BigInt cannot be stored. Use its digits as a text, or declare a codec.');
      default:
        throw new NotPlain(`a ${typeof value} cannot be stored. Leave it out.`);
    }
  }

  #copyObject(value: object): unknown {
    if (this.#above.includes(value)) throw new NotPlain('it contains itself. Use a key or a name of it.');
    if (this.#above.length >= DEEPEST) throw new NotPlain(`it has more than ${DEEPEST} levels.`);
    if (++this.#values > MOST_VALUES) throw new NotPlain(`it has more than ${MOST_VALUES} values.`);
    this.#above.push(value);
    const copied = Array.isArray(value) ? this.#copyList(value) : this.#copyMembers(value);
    this.#above.pop();
    return copied;
  }

  #copyList(list: readonly unknown[]): unknown[] {
    const copied: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      this.path.push(String(index));
      const member = list[index];
      // plain.1
      if (member === undefined) throw new NotPlain('undefined in a list becomes null. Use null, or leave it out.');
      copied.push(this.copy(member));
      this.path.pop();
    }
    return copied;
  }

  #copyMembers(value: object): object {
    const prototype: unknown = Object.getPrototypeOf(value);
    // The prototype of plain objects, of this realm or another one, has none itself.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new NotPlain(notPlain(value));
    if (Object.getOwnPropertySymbols(value).length > 0) throw new NotPlain('a symbol as a key cannot be stored.');
    const copied: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      this.path.push(name);
      // Most code that reads it back would set the prototype of an object.
      if (name === '__proto__') throw new NotPlain('this cannot be the name of a member. Choose another one.');
      this.#checkText(name);
      const member = this.copy((value as Record<string, unknown>)[name]);
      if (member !== undefined) copied[name] = member;
      this.path.pop();
    }
    return copied;
  }

  #checkText(text: string): void {
    if (!this.#stored) return;
    if (text.includes('\0')) throw new NotPlain('a text with the character NUL cannot be stored. Leave it out.');
    if (/\p{Surrogate}/u.test(text)) {
      throw new NotPlain('half of a character (a surrogate without its other half) cannot be stored.');
    }
  }
}

function notPlain(value: object): string {
  if (value instanceof Date) return 'a Date cannot be stored. Use its toISOString(), or declare a codec.';
  if (value instanceof Map) return 'a Map cannot be stored. Use an array of its entries, or an object.';
  if (value instanceof Set) return 'a Set cannot be stored. Use an array.';
  if (value instanceof Promise) return 'a promise cannot be stored. Await it.';
  if (value instanceof Error) return 'an Error cannot be stored. Use its message.';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'bytes cannot be stored. Use a text in base64.';
  const { name } = (value as { readonly constructor?: { readonly name?: unknown } }).constructor ?? {};
  return `an instance of ${typeof name === 'string' ? name : 'a class'} cannot be stored. Use a plain object.`;
}

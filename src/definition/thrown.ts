/*
 * Words for what was thrown. Code of others can throw anything: strings, proxies whose traps throw, objects without words, errors of
 * megabytes.
 *
 * thrown.1. Nothing here throws, whatever it is given.
 * thrown.2. Nothing here gives more than it says: what is longer is cut, and the text says by how much.
 * thrown.3. No message has credentials in it.
 */
import { withoutCredentials } from './credentials.js';
import { LONGEST_CODE, LONGEST_MESSAGE } from './limits.js';

/** A text that was cut is not cut again where it gets some words around it. */
const SLACK = 200;
/** So many characters are looked through: far more than are shown. */
const LOOKED_AT = 10 * LONGEST_MESSAGE;
/** How many of the errors that are one together are named. */
const MOST_TOGETHER = 5;

/** Cuts a text, and says how much of it is missing. thrown.2 */
export function cut(text: string, most: number, slack = SLACK): string {
  if (text.length <= most + slack) return text;
  const isHalf = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  const kept = isHalf ? most - 1 : most;
  const missing = String(text.length - kept).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${text.slice(0, kept)}... (${missing} more characters)`;
}

/** Tells whether something was thrown by this class. Asking a proxy by `instanceof` can throw. thrown.1 */
export function isThrown<T>(thrown: unknown, by: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof by;
  } catch {
    return false;
  }
}

/** Tells what went wrong, in words. */
export function messageOf(thrown: unknown): string {
  if (!isThrown(thrown, Error)) return shown(textOf(thrown));
  const message = member(thrown, 'message');
  // All addresses of a host refuse: each says why, and the error of all says nothing.
  const errors = message === '' && isThrown(thrown, AggregateError) ? member(thrown, 'errors') : undefined;
  if (!Array.isArray(errors)) return shown(textOf(message));
  return shown(errors.slice(0, MOST_TOGETHER).map(partOf).join('; '));
}

/** A message as it is shown: short, and without credentials. thrown.2, thrown.3 */
function shown(text: string): string {
  return cut(withoutCredentials(text.slice(0, LOOKED_AT)) + text.slice(LOOKED_AT), LONGEST_MESSAGE);
}

/** Tells what went wrong in code, with the kind of the error: `TypeError: x is undefined`. */
export function namedMessageOf(thrown: unknown): string {
  if (!isThrown(thrown, Error)) return messageOf(thrown);
  const name = member(thrown, 'name');
  return `${typeof name === 'string' ? cut(name, LONGEST_CODE) : 'Error'}: ${messageOf(thrown)}`;
}

/** A member of anything that was thrown; nothing where it cannot be read. thrown.1 */
export function member(of: unknown, name: string): unknown {
  try {
    return (of as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** One of several errors, which can be several in turn, but not without end. */
function partOf(error: unknown): string {
  return textOf(isThrown(error, Error) ? member(error, 'message') : error);
}

/** A value as text. */
function textOf(value: unknown): string {
  try {
    const text = String(value);
    return text.startsWith('[object ') ? (JSON.stringify(value) ?? text) : text;
  } catch {
    return `a value without a message (${typeof value})`;
  }
}

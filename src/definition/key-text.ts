/*
 * The text of a key that has several parts: `demo,sales` for server `demo` and name `sales`, in the declared order. It is the
 * key everywhere within Reeve: in workflow ids, rows, messages and addresses.
 *
 * key-text.1. Two different lists of parts never have the same text, and one list has only one text: to join and cut gives the
 *     same list, and to cut and join gives the same text.
 *
 * Parts stand between commas: people read that as a list, and a comma means nothing to a shell, in the path of a URL or in a
 * workflow id. (A slash does not survive every proxy, however it is encoded, and parts such as names of hosts are full of
 * dots.) A comma within a part is `~1`, and `~` is `~0`, as in JSON Pointer (RFC 6901): no comma is left but those between
 * parts, so the text can be cut at each of them, also in SQL, and a URL leaves `~` as it is.
 */
import { LONGEST_KEY } from './limits.js';

const BETWEEN = ',';

/** Parts in their order as one text. */
export function joinTexts(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('~', '~0').replaceAll(BETWEEN, '~1')).join(BETWEEN);
}

/** The parts of a text, in their order; nothing where `joinTexts` never makes this text. */
export function splitText(text: string): readonly string[] | undefined {
  const parts = text.split(BETWEEN).map((part) => part.replaceAll('~1', BETWEEN).replaceAll('~0', '~'));
  return joinTexts(parts) === text ? parts : undefined;
}

/** Why neither a URL nor a workflow id can carry a key, or a part of one, whatever its type; nothing where they can. */
export function unaddressableKey(key: string): string | undefined {
  // Readers of URLs take these for moves in the path, however they are encoded.
  if (key === '.' || key === '..') return `no URL can address it: choose another one than '.' and '..'`;
  if (key.length > LONGEST_KEY) return `it has ${key.length} characters, and at most ${LONGEST_KEY} are allowed`;
  if (/\p{Surrogate}/u.test(key)) return 'it holds half of a character (a surrogate without its other half)';
  return undefined;
}

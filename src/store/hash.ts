import { hash } from 'node:crypto';

/** The first 53 bits of a hash, since so many fit a JSON number. */
export function hash53(...parts: readonly string[]): number {
  const bytes = hash('sha1', textOf(parts), 'buffer');
  return bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3);
}

/** A hash in the form of a UUID, of version 8. */
export function hashUuid(...parts: readonly string[]): string {
  const hex = hash('sha1', textOf(parts), 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** One text of all parts. The length of each part tells ['a', 'bc'] from ['ab', 'c']. */
function textOf(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

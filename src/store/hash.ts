import { hash } from 'node:crypto';

/** 53 bits of a hash: they fit a JSON number. */
export function hash53(...parts: readonly string[]): number {
  // The length of each part tells ['a', 'bc'] from ['ab', 'c'].
  const text = parts.map((part) => `${part.length}:${part}`).join('');
  const bytes = hash('sha1', text, 'buffer');
  return bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3);
}

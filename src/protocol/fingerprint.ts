import { sorted } from './sorted.js';

/*
 * Short values that differ when what they were made of does. They only tell one thing from another, and do not hide anything.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 24 bits of a text in 4 characters. */
export function shortFingerprint(text: string): string {
  return digits(hash(text)[0]);
}

/** 48 bits of a text in 8 characters. */
export function fingerprint(text: string): string {
  const [one, other] = hash(text);
  return digits(one) + digits(other);
}

/** The same for a JSON value. The order of an object's members does not matter. */
export function valueFingerprint(value: unknown): string {
  return fingerprint(JSON.stringify(sorted(value)) ?? '');
}

/** 32-bit halves, mixed as in cyrb53: without the big integers of FNV, which are 50 times slower. */
function hash(text: string): readonly [number, number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return [one, other];
}

function digits(bits: number): string {
  return [18, 12, 6, 0].map((shift) => DIGITS[(bits >>> shift) & 63]).join('');
}

import type { RaiseRequest } from '../../protocol/request.js';
import { sorted } from '../rules/sorted.js';

/*
 * Short values that differ when what they were made of does. They only tell one request from another, and do not hide anything.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The fingerprint of event, parameters and values of construction: 24 bits in 4 characters. The order of an object's members
 * does not matter.
 */
export function contentFingerprint({
  event,
  params,
  construct,
}: Pick<RaiseRequest, 'event' | 'params' | 'construct'>): string {
  const [half] = hash(JSON.stringify([event, sorted(params ?? null), ...(construct ? [sorted(construct)] : [])]));
  return digits(half);
}

/** The fingerprint of a request under the oldest name of its event: builds that call it otherwise make the same one. Q2 */
export function requestFingerprint(
  request: Parameters<typeof contentFingerprint>[0] & Pick<RaiseRequest, 'formerly'>,
): string {
  const [oldest = request.event] = request.formerly ?? [];
  return contentFingerprint({ ...request, event: oldest });
}

/** Whether a request has this content, whatever its event was called when the fingerprint was made. */
export function hasContent(
  request: Parameters<typeof contentFingerprint>[0] & Pick<RaiseRequest, 'formerly'>,
  fingerprint: string,
): boolean {
  if (contentFingerprint(request) === fingerprint) return true;
  return request.formerly?.some((event) => contentFingerprint({ ...request, event }) === fingerprint) ?? false;
}

/** The fingerprint of a request id: 48 bits in 8 characters. */
export function idFingerprint(id: string): string {
  const [one, other] = hash(id);
  return digits(one) + digits(other);
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

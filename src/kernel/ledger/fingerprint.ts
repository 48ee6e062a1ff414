import { fingerprint, shortFingerprint } from '../../protocol/fingerprint.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { sorted } from '../../protocol/sorted.js';

/*
 * Short values by which requests are told apart.
 */

/**
 * The fingerprint of event, parameters and values of construction: 24 bits in 4 characters. The order of an object's members
 * does not matter.
 */
export function contentFingerprint({
  event,
  params,
  construct,
}: Pick<RaiseRequest, 'event' | 'params' | 'construct'>): string {
  return shortFingerprint(JSON.stringify([event, sorted(params ?? null), ...(construct ? [sorted(construct)] : [])]));
}

/** The fingerprint of a request under the oldest name of its event: builds that call it otherwise make the same one. Q2 */
export function requestFingerprint(
  request: Parameters<typeof contentFingerprint>[0] & Pick<RaiseRequest, 'formerly'>,
): string {
  const [oldest = request.event] = request.formerly ?? [];
  return contentFingerprint({ ...request, event: oldest });
}

/** Tells whether a request has this content, whatever its event was called when the fingerprint was made. */
export function hasContent(
  request: Parameters<typeof contentFingerprint>[0] & Pick<RaiseRequest, 'formerly'>,
  fingerprint: string,
): boolean {
  if (contentFingerprint(request) === fingerprint) return true;
  return request.formerly?.some((event) => contentFingerprint({ ...request, event }) === fingerprint) ?? false;
}

/** The fingerprint of a request id: 48 bits in 8 characters. */
export function idFingerprint(id: string): string {
  return fingerprint(id);
}

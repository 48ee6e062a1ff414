import type { ExpectedVersion } from '../protocol/request.js';

export const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e]+)\.([0-9]{1,15})"$/;

/** The ETag of an entity. It names one version of one life of the entity. S6.1 */
export function entityTag({ life, version }: ExpectedVersion): string {
  return `"${life}.${version}"`;
}

/**
 * The version that an `If-Match` header names. The header has been checked. Gives `undefined` when it is `*`, for any version.
 */
export function expectedVersion(ifMatch: string | undefined): ExpectedVersion | undefined {
  const [, life, version] = ENTITY_TAG.exec(ifMatch ?? '') ?? [];
  return life !== undefined && version !== undefined ? { life, version: Number(version) } : undefined;
}

import type { ExpectedVersion } from '../protocol/messages.js';

/** What `If-Match` holds: the ETag of an entity, or `*` for any version. */
export const IF_MATCH = /^(?:\*|(?:W\/)?"([\x21\x23-\x7e]+)\.([0-9]{1,15})")$/;

/** The ETag of an entity: one version of one life of it. S6.1 */
export function entityTag({ life, version }: ExpectedVersion): string {
  return `"${life}.${version}"`;
}

/** The version that an `If-Match` header names, which has been checked; none when it names any. */
export function expectedVersion(ifMatch: string | undefined): ExpectedVersion | undefined {
  const [, life, version] = IF_MATCH.exec(ifMatch ?? '') ?? [];
  return life !== undefined && version !== undefined ? { life, version: Number(version) } : undefined;
}

import type { ExpectedVersion } from '../protocol/messages.js';
import { ProblemError } from './problem.js';

/** The ETag of an entity: one version of one life of it. S6.1 */
export function entityTag({ life, version }: ExpectedVersion): string {
  return `"${life}.${version}"`;
}

/**
 * The version that an `If-Match` header names; none when it names any.
 * @throws ProblemError 400
 */
export function expectedVersion(ifMatch: string | undefined): ExpectedVersion | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, life, version] = /^\s*(?:W\/)?"(.+)\.(\d{1,15})"\s*$/.exec(ifMatch) ?? [];
  if (life !== undefined && version !== undefined) return { life, version: Number(version) };
  const message = 'is no ETag of an entity: give the one that a read has answered with, or *';
  throw ProblemError.invalid('invalid_header', [{ path: 'If-Match', message }]);
}

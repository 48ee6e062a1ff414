import { createHash } from 'node:crypto';
import type { Actor } from 'reeve/client';

/** The caller must act: the request does not show who sends it. */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
}

/** Stands for your authentication: the session of your framework, or the verified claims of a JSON Web Token. */
const CALLERS = new Map<string, Actor>([
  ['token-of-ada', { subject: 'ada', tenant: 'acme', roles: ['owner'] }],
  ['token-of-vic', { subject: 'vic', tenant: 'acme', roles: ['visitor'] }],
  ['token-of-bob', { subject: 'bob', tenant: 'globex', roles: ['owner'] }],
]);

/** Returns the caller, by the header `Authorization` and never by the body. @throws NotAuthenticated */
export function whoIs(authorization: string | null | undefined): Actor {
  const [, token = ''] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? [];
  const caller = CALLERS.get(token);
  if (!caller) throw new NotAuthenticated('Send a bearer token that is valid, in the header Authorization.');
  return caller;
}

/**
 * Returns the request id for the header `Idempotency-Key`. The same key of another caller, or for another website, is another request.
 * Returns nothing without a key: then each request is new.
 */
export function requestIdOf(key: unknown, { tenant, subject }: Actor, site: string): string | undefined {
  if (typeof key !== 'string') return undefined;
  return createHash('sha256')
    .update(JSON.stringify([tenant, subject, site, key]))
    .digest('base64url');
}

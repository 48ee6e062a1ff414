/** The most characters of a token. A longer one cannot be meant, and is not even looked at. */
const LONGEST = 8_192;

/**
 * The token that a request shows, as `Authorization: Bearer ...` or `X-API-Key: ...`. Gives `undefined` when the request shows
 * none. Two tokens count as none, since one could be checked and the other one used.
 */
export function tokenOf(headers: Headers): string | undefined {
  const [authorization, key] = [headers.get('authorization'), headers.get('x-api-key')];
  if (authorization !== null && key !== null) return undefined;
  const token = key ?? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && token.length <= LONGEST ? token : undefined;
}

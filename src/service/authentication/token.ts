/** Longer than any token that is meant: it is not even looked at. In characters. */
const LONGEST = 8_192;

/**
 * The one token that a request shows, as `Authorization: Bearer ...` or `X-API-Key: ...`. Nothing when it shows none, or
 * two, of which one that is checked and another one that is used could be different.
 */
export function tokenOf(headers: Headers): string | undefined {
  const [authorization, key] = [headers.get('authorization'), headers.get('x-api-key')];
  if (authorization !== null && key !== null) return undefined;
  const token = key ?? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && token.length <= LONGEST ? token : undefined;
}

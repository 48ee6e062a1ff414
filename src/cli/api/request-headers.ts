/** The header by which the same request does nothing twice. */
export function requestHeaders(requestId: string | undefined): Readonly<Record<string, string>> {
  return requestId === undefined ? {} : { 'idempotency-key': requestId };
}

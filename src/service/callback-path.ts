/*
 * A call is answered from outside at an address whose path holds a secret. This path must not be in any log or row. A1, C2
 */
const CALLBACK = /^\/api\/callbacks\/([^/]+)$/;

export const CALLBACK_PATH = '/api/callbacks/{token}';

/** The token in a path, or `undefined` where the path is another one. */
export function callbackToken(path: string): string | undefined {
  return CALLBACK.exec(path)?.[1];
}

/** A path that may be written down: without a token. */
export function withoutToken(path: string): string {
  return callbackToken(path) === undefined ? path : CALLBACK_PATH;
}

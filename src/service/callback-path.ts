/*
 * The path of an address at which a call is answered from outside holds a secret: it stands in no log and no row. A1, C2
 */
const CALLBACK = /^\/api\/callbacks\/([^/]+)$/;

export const CALLBACK_PATH = '/api/callbacks/{token}';

/** The token in a path; nothing where the path is another one. */
export function callbackToken(path: string): string | undefined {
  return CALLBACK.exec(path)?.[1];
}

/** A path as it may be written down. */
export function withoutToken(path: string): string {
  return callbackToken(path) === undefined ? path : CALLBACK_PATH;
}

import { ProblemError } from '../problem.js';
import { findApiKey, isApiKey } from './api-key.js';
import type { ApiKeyFile } from './api-key-file.js';
import type { Authenticator, Credentials } from './authenticator.js';
import type { TokenVerifier } from './json-web-token.js';
import { tokenOf } from './token.js';

/** How long a stream goes on before its client has to show its key again, since the key may have been revoked. */
const KEY_HOLDS_MS = 5 * 60_000;

/** Accepts those who show a JSON Web Token or an API key. S6.5 */
export class CredentialsAuthenticator implements Authenticator {
  readonly #tokens: TokenVerifier | undefined;
  readonly #keys: ApiKeyFile | undefined;

  constructor(accepted: { readonly tokens?: TokenVerifier | undefined; readonly keys?: ApiKeyFile | undefined }) {
    this.#tokens = accepted.tokens;
    this.#keys = accepted.keys;
  }

  async authenticate({ headers }: Request): Promise<Credentials | undefined> {
    const token = tokenOf(headers);
    if (token === undefined) return undefined;
    try {
      return isApiKey(token) ? await this.#key(token) : await this.#tokens?.verify(token);
    } catch (thrown) {
      const problem = new ProblemError(
        'authentication_unavailable',
        'The service cannot authenticate requests at the moment. Try again later.',
        {},
        RETRY,
      );
      problem.cause = thrown;
      throw problem;
    }
  }

  async #key(key: string): Promise<Credentials | undefined> {
    const now = Date.now();
    const record = this.#keys && findApiKey(await this.#keys.records(), key, now);
    if (!record) return undefined;
    const { subject, tenant, roles, expires } = record;
    const until = Math.min(now + KEY_HOLDS_MS, expires === undefined ? Infinity : Date.parse(expires));
    return { actor: { subject, tenant, roles }, until };
  }
}

const RETRY = { 'Retry-After': '5' };

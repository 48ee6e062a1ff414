import { readFile } from 'node:fs/promises';
import { ApiKeyFile } from './api-key-file.js';
import type { Authenticator } from './authenticator.js';
import { CredentialsAuthenticator } from './credentials-authenticator.js';
import { TokenVerifier, type KeySet } from './json-web-token.js';

/**
 * Reads who is let in. These are callers with a key in the file `REEVE_API_KEYS`, and callers with a JSON Web Token that a key of
 * `REEVE_JWT_KEYS` (a file, or an https address) has signed for `REEVE_JWT_ISSUER` and `REEVE_JWT_AUDIENCE`.
 * `REEVE_JWT_ALGORITHMS` (default RS256 ES256 EdDSA), `REEVE_JWT_ROLES_CLAIM` and `REEVE_JWT_TENANT_CLAIM` say more about tokens.
 * Gives `undefined` when none of them is set.
 * @throws when something in it is not right, so that nobody is let in by mistake
 */
export async function authenticatorFrom(env: NodeJS.ProcessEnv): Promise<Authenticator | undefined> {
  const keys = env['REEVE_API_KEYS'] ? new ApiKeyFile(env['REEVE_API_KEYS']) : undefined;
  await keys?.records().catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw thrown;
    const missing = `REEVE_API_KEYS names ${env['REEVE_API_KEYS']}, which does not exist.`;
    throw new Error(`${missing} Make it by 'reeve keys create', or correct the name.`);
  });
  const tokens = await verifierFrom(env);
  return keys || tokens ? new CredentialsAuthenticator({ keys, tokens }) : undefined;
}

async function verifierFrom(env: NodeJS.ProcessEnv): Promise<TokenVerifier | undefined> {
  const settings = Object.entries(env).filter(([name, value]) => name.startsWith('REEVE_JWT_') && value);
  if (settings.length === 0) return undefined;
  const [keys, issuer, audience] = [env['REEVE_JWT_KEYS'], env['REEVE_JWT_ISSUER'], env['REEVE_JWT_AUDIENCE']];
  if (!keys || !issuer || !audience) {
    throw new Error(
      'Tokens need all of REEVE_JWT_KEYS, REEVE_JWT_ISSUER and REEVE_JWT_AUDIENCE. Set the missing ones.',
    );
  }
  const [rolesClaim, tenantClaim] = [env['REEVE_JWT_ROLES_CLAIM'], env['REEVE_JWT_TENANT_CLAIM']];
  const algorithms = (env['REEVE_JWT_ALGORITHMS'] || 'RS256 ES256 EdDSA').split(/[\s,]+/).filter(Boolean);
  const rules = {
    algorithms,
    issuer,
    audience,
    ...(rolesClaim && { rolesClaim }),
    ...(tenantClaim && { tenantClaim }),
  };
  return new TokenVerifier(rules, await keySetAt(keys));
}

async function keySetAt(place: string): Promise<KeySet> {
  if (/^https?:\/\//.test(place)) return new URL(place);
  return JSON.parse(await readFile(place, 'utf8')) as { readonly keys: readonly Record<string, unknown>[] };
}

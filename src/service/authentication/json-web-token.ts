import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { ALL_TENANTS, TENANT_NAME } from '../../protocol/actor.js';
import type { Credentials } from './authenticator.js';
import { limitedFetch } from './limited-fetch.js';

/** The rules that a token must meet. */
export interface TokenRules {
  /**
   * The algorithms that are accepted. They all sign with a private key. `none`, and secrets that both verify and sign, are never
   * accepted.
   */
  readonly algorithms: readonly string[];
  readonly issuer: string;
  readonly audience: string;
  /** How far the clocks may differ, in seconds. Default 30. */
  readonly clockSkew?: number;
  /** The claim with the roles, a list or words in one text. Default `roles`. */
  readonly rolesClaim?: string;
  /** The claim with the tenant, or `*` for all of them. Default `tenant`. */
  readonly tenantClaim?: string;
}

/** The public keys of the issuer: the set itself, or its address. */
export type KeySet = { readonly keys: readonly Record<string, unknown>[] } | URL;

export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const KEY_SET_AGE_MS = 10 * 60_000;
/** A token with an unknown key makes the service fetch the set again, but not more often than this. */
const COOL_DOWN_MS = 30_000;
const FETCHED_WITHIN_MS = 5_000;

/** Is thrown when the keys cannot be fetched at the moment. */
export class KeySetAway extends Error {
  override readonly name = 'KeySetAway';
}

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/** Reads JSON Web Tokens. It never follows what a token's header says about keys (`jwk`, `jku`, `x5u`). */
export class TokenVerifier {
  readonly #rules: TokenRules;
  readonly #keys: JWTVerifyGetKey;

  /** @throws when the rules would let anybody in */
  constructor(rules: TokenRules, keys: KeySet) {
    const unsafe = rules.algorithms.filter((name) => !ALGORITHMS.includes(name));
    if (rules.algorithms.length === 0 || unsafe.length > 0) {
      const said = unsafe.length > 0 ? `'${unsafe.join(', ')}' cannot be trusted` : 'no algorithm is named';
      throw new Error(`Tokens: ${said}. Choose among ${ALGORITHMS.join(', ')}.`);
    }
    if (!rules.issuer || !rules.audience) throw new Error('Tokens: name their issuer and their audience.');
    this.#rules = rules;
    this.#keys = keys instanceof URL ? remote(keys) : local(keys);
  }

  /**
   * Whose a token is. Gives `undefined` when the token is not right.
   * @throws KeySetAway
   */
  async verify(token: string): Promise<Credentials | undefined> {
    const { algorithms, issuer, audience, clockSkew = 30 } = this.#rules;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        ...{ algorithms: [...algorithms], issuer, audience, clockTolerance: clockSkew },
        requiredClaims: ['exp', 'sub'],
      });
      return this.#credentials(payload);
    } catch (thrown) {
      if (thrown instanceof errors.JWKSTimeout || isFetchFailure(thrown)) {
        throw new KeySetAway('The keys of the issuer cannot be fetched.', { cause: thrown });
      }
      if (thrown instanceof errors.JOSEError) return undefined;
      throw thrown;
    }
  }

  #credentials(payload: JWTPayload): Credentials | undefined {
    const { rolesClaim = 'roles', tenantClaim = 'tenant', clockSkew = 30 } = this.#rules;
    const { sub: subject, exp } = payload;
    const tenant = Object.hasOwn(payload, tenantClaim) ? payload[tenantClaim] : undefined;
    const roles = rolesIn(Object.hasOwn(payload, rolesClaim) ? payload[rolesClaim] : undefined);
    if (!subject || subject.length > 256 || exp === undefined || !roles) return undefined;
    if (typeof tenant !== 'string' || (tenant !== ALL_TENANTS && !TENANT_NAME.test(tenant))) return undefined;
    return { actor: { subject, tenant, roles }, until: (exp + clockSkew) * 1_000 };
  }
}

/** A token without roles gives no roles. Gives `undefined` where the claim is not a list of names. */
function rolesIn(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return [];
  const names: unknown = typeof claim === 'string' ? claim.split(' ').filter(Boolean) : claim;
  const parsed = z.array(z.string().max(64)).max(64).safeParse(names);
  return parsed.success ? parsed.data : undefined;
}

function local(set: { readonly keys: readonly Record<string, unknown>[] }): JWTVerifyGetKey {
  const parsed = keySet.safeParse(set);
  if (!parsed.success) throw new Error(`Tokens: this is not a set of keys: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.keys.some((key) => key.kty === 'oct' || 'd' in key)) {
    throw new Error('Tokens: the set has a secret or private key. Give it public keys only.');
  }
  return createLocalJWKSet(parsed.data);
}

function remote(url: URL): JWTVerifyGetKey {
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here)) {
    throw new Error(`Tokens: keys from ${url.href} could be anybody's. Use https.`);
  }
  return createRemoteJWKSet(url, {
    cacheMaxAge: KEY_SET_AGE_MS,
    cooldownDuration: COOL_DOWN_MS,
    timeoutDuration: FETCHED_WITHIN_MS,
    [customFetch]: limitedFetch,
  });
}

/**
 * Tells whether a fetch has failed. For an answer that is not 200, jose throws an error without a class of its own, and so does a
 * failed `fetch`.
 */
function isFetchFailure(thrown: unknown): boolean {
  if (thrown instanceof TypeError) return true;
  return thrown instanceof errors.JOSEError && thrown.code === 'ERR_JOSE_GENERIC';
}

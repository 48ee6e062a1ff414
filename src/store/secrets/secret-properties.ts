import type { AnyEntity } from '../../definition/entity.js';

/** The names of the secret properties, by the names of the types that have any. Q5 */
export type SecretProperties = ReadonlyMap<string, readonly string[]>;

export function secretProperties(entities: readonly AnyEntity[]): SecretProperties {
  return new Map(entities.filter(({ secret }) => secret.length > 0).map(({ name, secret }) => [name, secret]));
}

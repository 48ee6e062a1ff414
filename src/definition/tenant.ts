import type { AnyEntity } from './entity.js';

/** The dimension by which entities belong to tenants, and where its value comes from: `dimensions: { tenant: 'tenant' }`. S6.5 */
export const TENANT = 'tenant';

/** Tells whether each entity of a type belongs to a tenant. An entity without a tenant is for those who act for all tenants. */
export function belongsToTenants({ dimensions }: AnyEntity): boolean {
  return Object.hasOwn(dimensions, TENANT);
}

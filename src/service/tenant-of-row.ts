import { TENANT } from '../definition/tenant.js';

/** The tenant to whom a row of the store belongs, by its dimension. S6.5 */
export function tenantOfRow(row: object): string | undefined {
  const tenant: unknown = Object.hasOwn(row, TENANT) ? Reflect.get(row, TENANT) : undefined;
  return typeof tenant === 'string' ? tenant : undefined;
}

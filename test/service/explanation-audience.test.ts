import { describe, expect, it } from 'vitest';
import { audienceOf } from '../../src/service/explanation-audience.js';
import { declared } from '../../src/service/declared.js';
import { readableBy } from '../../src/service/readable.js';
import type { ServiceStore } from '../../src/service/service-store.js';
import type { StoreViews } from '../../src/store/index.js';
import { Cellar, Vault } from '../entities/vault.js';

/** A store that knows one vault, of a tenant. */
const storeWith = (tenant: string | null, life: string) => {
  const row = { life, tenant } as unknown as StoreViews['entities'];
  const entity: ServiceStore['entity'] = async ({ key }) => (key === 'known' ? row : undefined);
  return { entity } as ServiceStore;
};
const audience = (tenant: string, role: string, store = storeWith('acme', 'l')) =>
  audienceOf(readableBy(declared([Vault, Cellar]), { subject: 'ann', tenant, roles: [role] }), store);
const vault = { type: 'Vault', key: 'known' };
const owned = (tenant: string | undefined) => ({ ...vault, owner: { tenant } });

describe('the audience of an explanation (S5.4, S6.5)', () => {
  it('is shown what it may read: by type, and by whose it is', async () => {
    expect(audience('*', 'operator').everything).toBe(true);
    const reader = audience('*', 'reader');
    expect(await reader.shows(owned('rival'))).toBe(true);
    expect(await reader.shows({ type: 'Cellar', key: 'c', owner: { tenant: undefined } })).toBe(false);
    const acme = audience('acme', 'reader');
    expect(acme.everything).toBe(false);
    expect(await acme.shows(owned('acme'))).toBe(true);
    expect(await acme.shows(owned('rival'))).toBe(false);
    expect(await acme.shows(owned(undefined))).toBe(false);
    expect(await audience('acme', 'guest').shows(owned('acme'))).toBe(false);
  });

  it('is shown what cannot be read where the store says that the same life is its own', async () => {
    expect(await audience('acme', 'reader').shows({ ...vault, life: 'l' })).toBe(true);
    expect(await audience('rival', 'reader').shows({ ...vault, life: 'l' })).toBe(false);
    expect(await audience('acme', 'reader').shows({ ...vault, life: 'another' })).toBe(false);
    expect(await audience('acme', 'reader').shows({ type: 'Vault', key: 'unknown' })).toBe(false);
    expect(await audience('acme', 'reader', storeWith(null, 'l')).shows(vault)).toBe(false);
    const away = { entity: () => Promise.reject(new Error('away')) } as unknown as ServiceStore;
    expect(await audience('acme', 'reader', away).shows(vault)).toBe(false);
  });
});

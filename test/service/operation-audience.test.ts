import { describe, expect, it } from 'vitest';
import type { ServiceParts } from '../../src/service/parts.js';
import { asShownTo } from '../../src/service/operation-audience.js';
import { representBeginning, type OperationRepresentation } from '../../src/service/operation-representation.js';
import { declared } from '../../src/service/declared.js';
import { readableBy } from '../../src/service/readable.js';
import { Cellar, Vault } from '../entities/vault.js';

const participant = (entity: string) =>
  ({ entity, state: 'Open', version: 1, health: 'normal', waiting: false, lost: false }) as const;
const NAMES = ['Vault/root', 'Vault/ours', 'Vault/theirs', 'Vault/nobodys', 'Vault/young', 'Vault/gone', 'Cellar/deep'];
const operation: OperationRepresentation = {
  ...representBeginning('op'),
  outcome: 'failed',
  participants: NAMES.map(participant),
  errors: NAMES.map((entity) => ({ entity, event: 'store', code: 'full', message: `${entity} is full` })),
  cancel_refusals: NAMES.map((entity) => {
    return { entity, event: 'stop', code: 'not_valid', message: 'not now', time: '2026-11-21T14:03:00.000Z' };
  }),
};

/** A store that knows three vaults, and a service that can still read a young one. */
const parts = {
  store: {
    entities: async () => [
      { type: 'Vault', key: 'ours', tenant: 'acme' },
      { type: 'Vault', key: 'theirs', tenant: 'rival' },
      { type: 'Vault', key: 'nobodys', tenant: null },
    ],
  },
  reeve: {
    read: async ({ key }: { readonly key: string }) => {
      if (key !== 'young') throw new Error(`${key} is not there`);
      return { snapshot: { tenant: 'acme' } };
    },
  },
} as unknown as ServiceParts;

async function shown(tenant: string, role: string, from = parts) {
  const readable = readableBy(declared([Vault, Cellar]), { subject: 'ann', tenant, roles: [role] });
  const seen = await asShownTo(readable, from, { type: 'Vault', key: 'root' }, operation);
  const names = seen.participants.map(({ entity }) => entity);
  expect(seen.errors.map(({ entity }) => entity)).toEqual(names);
  expect(seen.cancel_refusals.map(({ entity }) => entity)).toEqual(names);
  return names;
}

describe('an operation as it is shown (S6.5)', () => {
  it('has every entity for operators, and those of the types that others may read', async () => {
    expect(await shown('*', 'operator')).toEqual(NAMES);
    expect(await shown('*', 'reader')).toEqual(NAMES.filter((name) => name.startsWith('Vault')));
  });

  it('has none of other tenants, and none of which nobody can tell whose it is', async () => {
    expect(await shown('acme', 'reader')).toEqual(['Vault/root', 'Vault/ours', 'Vault/young']);
    const away = { ...parts, store: { entities: () => Promise.reject(new Error('away')) } } as unknown as ServiceParts;
    expect(await shown('acme', 'reader', away)).toEqual(['Vault/root', 'Vault/young']);
  });
});

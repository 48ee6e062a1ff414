import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DeclarationError, defineEntity, initial, knownRoles, terminal } from '../../src/definition/index.js';
import { describeEntity } from '../../src/definition/describe.js';
import { Cellar, Vault } from '../entities/vault.js';

/** The places of the mistakes in a declaration with these roles and dimensions. */
function mistakes(roles: object, event: object = {}, dimensions: object = {}): readonly string[] {
  try {
    defineEntity('Thing', {
      key: z.string(),
      properties: z.object({ owner: z.string().optional() }),
      states: { Here: initial(), There: terminal() },
      events: { go: { in: 'Here', ...event } },
      actions: { go: { on: 'go', in: 'Here', to: 'There' } },
      ...({ roles, dimensions } as object),
    });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    return thrown.problems.map(({ place, problem, remedy }) => {
      expect(remedy).not.toBe('');
      return `${place}: ${problem}`;
    });
  }
}

describe('the roles of a declaration (S6.5)', () => {
  it('are names, each once, and at least one (S1.5)', () => {
    expect(mistakes({ read: ['data-owner', 'r2'] }, { roles: ['owner'] })).toEqual([]);
    expect(mistakes({ read: [], raise: ['Owner'], operate: ['a', 'a'] }, { roles: [] })).toEqual([
      'roles.read: allow no role',
      "roles.raise: 'Owner' is not a valid role name",
      "roles.operate: names 'a' twice",
      'events.go.roles: allow no role',
    ]);
    expect(mistakes({}, { roles: ['owner'], internal: true })).toEqual([
      'events.go.roles: have no effect: the event is internal',
    ]);
    expect(mistakes({ write: ['owner'] })).toEqual(['roles.write: is not an option here']);
    expect(mistakes({ read: 'owner' })).toEqual(['roles.read: is not a list of roles']);
  });

  it('are operators where none are named', () => {
    const { roles, events } = describeEntity(Cellar);
    expect(roles).toEqual({ read: ['operator'], raise: ['operator'], operate: ['operator'] });
    expect(events).toMatchObject([{ roles: ['operator'] }, { roles: ['operator'] }]);
  });

  it('are shown for each event from outside, and not for internal ones', () => {
    const events = Object.fromEntries(describeEntity(Vault).events.map(({ name, roles }) => [name, roles]));
    expect(events).toMatchObject({ touch: ['owner', 'operator'], unseal: ['owner'], remove: ['operator'] });
    expect(events['seal']).toBeUndefined();
    expect(knownRoles([Vault, Cellar])).toEqual(['operator', 'owner', 'reader']);
  });
});

it('the dimension tenant comes from the tenant and from nothing else (S6.5)', () => {
  expect(mistakes({}, {}, { tenant: 'tenant' })).toEqual([]);
  expect(mistakes({}, {}, { tenant: 'properties.owner' })).toHaveLength(1);
  expect(mistakes({}, {}, { customer: 'tenant' })).toHaveLength(1);
});

import { describe, expect, it } from 'vitest';
import { dimensionsOf } from '../../src/kernel/rules/dimensions.js';
import { newborn } from '../../src/kernel/actions/birth.js';
import { raiseOn } from '../../src/kernel/successors/raise.js';
import { refusalAtBirth } from '../../src/kernel/actions/refusal-at-birth.js';
import { refusePermission, tenantAtBirth } from '../../src/kernel/rules/permission.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import { EXTEND_EVENT, LOSE_EVENT, RETRY_EVENT, REVOKE_EVENT } from '../../src/protocol/names.js';
import { parseRequests } from '../../src/protocol/parse.js';
import { Cellar, Vault } from '../entities/vault.js';
import { Puppet } from '../support/entities.js';

const actor = (tenant: string, ...roles: readonly string[]) => ({ actor: { subject: 'alice', tenant, roles } });
const NOTHING = { properties: {}, links: {}, subordinates: {} };
const from = { type: 'Vault', key: 'other', life: 'x', judges: false };

/** An open vault of acme. */
function vault(): Puppet {
  const puppet = new Puppet(Vault);
  puppet.snapshot = { ...puppet.snapshot, state: 'Open', tenant: 'acme' };
  return puppet;
}
const codeOf = (event: string, request: Partial<RaiseRequest>) => {
  const answer = vault().raise(event, undefined, request);
  return answer.status === 'rejected' ? answer.rejection.code : answer.status;
};

describe('an entity that is asked (S6.5)', () => {
  it('takes an event of its tenant with the role, and of those for all tenants (permission.1)', () => {
    expect(codeOf('touch', actor('acme', 'owner'))).toBe('accepted');
    expect(codeOf('touch', actor('*', 'operator'))).toBe('accepted');
    expect(codeOf('touch', actor('acme', 'reader'))).toBe('not_allowed');
    expect(codeOf('touch', actor('acme'))).toBe('not_allowed');
    expect(codeOf('touch', actor('rival', 'owner', 'operator'))).toBe('another_tenant');
    expect(codeOf('touch', actor('Acme', 'owner'))).toBe('another_tenant');
  });

  it('is for operators alone in what an operator does (S3.5, S4.4)', () => {
    for (const event of [RETRY_EVENT, LOSE_EVENT, EXTEND_EVENT, REVOKE_EVENT]) {
      expect(codeOf(event, actor('acme', 'owner'))).toBe('not_allowed');
      expect(codeOf(event, actor('rival', 'operator'))).toBe('another_tenant');
    }
    expect(codeOf(RETRY_EVENT, actor('acme', 'operator'))).toBe('not_exhausted');
  });

  it('takes no internal event from an actor, whatever else the request names', () => {
    expect(codeOf('seal', { ...actor('acme', 'owner', 'operator'), operation: 'op' })).toBe('not_public');
    expect(codeOf('seal', { from, operation: 'op', tenant: 'acme' })).toBe('accepted');
  });

  it('takes nothing from entities of another tenant, and all from those of none (permission.2, permission.3)', () => {
    expect(codeOf('touch', { from, operation: 'op', tenant: 'rival' })).toBe('another_tenant');
    expect(codeOf('touch', { from, operation: 'op' })).toBe('accepted');
    expect(codeOf('touch', {})).toBe('accepted');
  });

  it('decides this first: before a repeated request, a version, a running action (permission.4, S2.5)', () => {
    const asked = vault();
    asked.raise('touch', undefined, { id: 'r', ...actor('acme', 'owner') });
    const foreign = { ...actor('rival', 'owner'), expects: { life: 'no', version: 7 } };
    expect(asked.raise('touch', undefined, { id: 'r', ...foreign })).toMatchObject({
      rejection: { code: 'another_tenant' },
    });
    expect(asked.snapshot.waiting).toEqual([]);
    const { rejection } = asked.raise('touch', undefined, foreign) as { rejection: object };
    expect(Object.keys(rejection).sort()).toEqual(['code', 'entity', 'event', 'message']);
  });
});

describe('an event that has waited (S6.5, S2.3)', () => {
  it.each([
    ['raise', ['operator'], 'not_allowed'],
    ['raise', ['owner'], undefined],
  ] as const)('is decided by the declaration of then: roles to %s are %j', (manner, roles, code) => {
    const before = vault();
    before.raise('touch');
    expect(before.raise('touch', undefined, { id: 'late', ...actor('acme', 'owner') }).status).toBe('waiting');
    const after = new Puppet({ ...Vault, roles: { ...Vault.roles, [manner]: roles } });
    after.snapshot = before.snapshot;
    after.end();
    after.taken();
    after.admitWaiting();
    expect(after.snapshot.running?.action).toBe(code === undefined ? 'touch' : undefined);
    const rejected = code === undefined ? [] : [{ message: { kind: 'ended', outcome: { rejection: { code } } } }];
    expect(after.taken()).toMatchObject(rejected);
  });
});

describe('the tenant of an entity (S6.5)', () => {
  it('is that of the actor, or the one that is named for it; none where its type has none', () => {
    expect(tenantAtBirth(Vault, actor('acme', 'owner'))).toBe('acme');
    expect(tenantAtBirth(Vault, { ...actor('acme', 'owner'), tenant: 'rival' })).toBe('acme');
    expect(tenantAtBirth(Vault, { ...actor('*', 'operator'), tenant: 'rival' })).toBe('rival');
    expect(tenantAtBirth(Vault, actor('*', 'operator'))).toBeUndefined();
    expect(tenantAtBirth(Cellar, actor('acme', 'owner'))).toBeUndefined();
  });

  it('cannot be another one than the actor names, nor be wanted where there is none', () => {
    const birth = (entity: typeof Vault | typeof Cellar, request: Partial<RaiseRequest>) =>
      refusalAtBirth(entity, { type: entity.name, key: 'k' }, { id: 'r', event: 'created', ...request })?.rejection
        .code;
    expect(birth(Vault, actor('acme', 'owner'))).toBeUndefined();
    expect(birth(Vault, { ...actor('acme', 'owner'), tenant: 'rival' })).toBe('another_tenant');
    expect(birth(Vault, actor('acme', 'reader'))).toBe('not_allowed');
    expect(birth(Cellar, actor('acme', 'operator'))).toBe('another_tenant');
    expect(birth(Cellar, actor('*', 'operator'))).toBeUndefined();
  });

  it('is its dimension, and goes with all that it raises', () => {
    const snapshot = newborn(Vault, { type: 'Vault', key: 'k' }, 'life', 0, NOTHING, 'acme');
    expect(dimensionsOf(Vault, snapshot)).toEqual({ tenant: 'acme' });
    const puppet = vault();
    puppet.raise('touch');
    const request = { id: 'child', event: 'open' };
    const to = { type: 'Vault', key: 'child' };
    const { effects } = raiseOn(puppet.snapshot, [{ to, creates: true, request, judges: false }]);
    expect(effects).toMatchObject([{ kind: 'create', creation: { request: { tenant: 'acme' } } }]);
  });

  it('closes it also to those with all roles, when it has none', () => {
    const snapshot = newborn(Vault, { type: 'Vault', key: 'k' }, 'life', 0, NOTHING);
    expect(refusePermission(Vault, snapshot, { event: 'open', ...actor('acme', 'operator') })?.code).toBe(
      'another_tenant',
    );
  });
});

it('a request with an actor that says too little is malformed (S6.5)', () => {
  const request = (given: unknown) => parseRequests([{ id: 'r', event: 'e', ...(given as object) }]);
  expect(request(actor('acme', 'owner'))).toBeUndefined();
  expect(request({ actor: { subject: 'alice', roles: [] } })).toContain('actor.tenant');
  expect(request({ actor: { subject: '', tenant: 'acme', roles: [] } })).toContain('actor.subject');
  expect(request({ actor: { subject: 'alice', tenant: 'acme' } })).toContain('actor.roles');
  expect(request({ tenant: '*' })).toContain('tenant');
});

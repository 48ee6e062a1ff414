import { describe, expect, it } from 'vitest';
import { implementActions } from '../../src/definition/index.js';
import { timedUuid } from '../../src/protocol/request-id.js';
import { Vault } from '../entities/vault.js';
import { box } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const SIZES = { recent: 1, group: 0, block: 1, blocks: 1 };
const vault = implementActions(Vault, {
  begin: async (app) => app.goTo('Filling'),
  fill: async (app) => app.goTo('Open'),
  touch: async (app) => {
    app.properties.touched++;
  },
  unseal: async (app) => app.goTo('Open'),
  seal: async (app) => app.goTo('Sealed'),
  store: async () => undefined,
  look: async () => undefined,
  remove: async (app) => app.goTo('Deleted'),
});
const owner = { subject: 'ada', tenant: 'acme', roles: ['owner'] };
/** Ids that carry a time are known to be new. */
const fresh = (number: number) => timedUuid(`00000000-0000-4000-8000-00000000000${number}`, 1e12);

/** A box that has been placed. */
async function placed(sizes?: typeof SIZES): Promise<LoneEntity> {
  const request = { id: 'place-id', event: 'place', params: { label: 'x' } };
  const entity = new LoneEntity(box, { kind: 'create', key: 'k', request }, undefined, sizes);
  await entity.calm();
  entity.calls[0]!.answer({ output: { place: 3 }, restarts: 0 });
  await entity.calm();
  entity.opened.splice(0);
  return entity;
}

/** A vault of a tenant. */
async function opened(): Promise<LoneEntity> {
  const request = { id: fresh(9), event: 'open', actor: owner };
  const entity = new LoneEntity(vault, { kind: 'create', key: 'k', request });
  await entity.calm();
  expect(entity.snapshot).toMatchObject({ state: 'Open', tenant: 'acme' });
  return entity;
}

async function signal(entity: LoneEntity, name: string, ...args: readonly unknown[]): Promise<void> {
  entity.handlers!.signal(name, ...args);
  await entity.calm();
}

describe('a plain signal with a request id', () => {
  it('runs once, however often it comes, and is an error with other content (S2.5)', async () => {
    const entity = await placed();
    const options = { request: fresh(1) };
    await signal(entity, 'relabel', { label: 'one' }, options);
    const { version } = entity.snapshot;
    await signal(entity, 'relabel', { label: 'one' }, options);
    expect(entity.snapshot).toMatchObject({ version, properties: { label: 'one' } });
    expect(entity.snapshot.dropped).toBeUndefined();
    await signal(entity, 'relabel', { label: 'two' }, options);
    expect(entity.snapshot).toMatchObject({ version, properties: { label: 'one' } });
    expect(entity.snapshot.dropped).toEqual({
      signal: 'relabel',
      reason: expect.stringContaining('another event or other parameters') as string,
      at: entity.now,
      request: options.request,
    });
  });

  it('is followed by an operation of that name, also when it ends at once (S4.7, hearing.1)', async () => {
    const entity = await placed();
    await signal(entity, 'relabel', { label: 'one' }, { request: fresh(1) });
    expect(entity.opened).toMatchObject([{ id: fresh(1), name: 'relabel Box/k' }]);
    expect(entity.told).toContainEqual({
      operation: fresh(1),
      message: expect.objectContaining({ kind: 'ended', engagement: fresh(1) }) as object,
    });
    // Without one, nobody could ask for it.
    await signal(entity, 'relabel', { label: 'two' });
    expect(entity.opened).toHaveLength(1);
  });

  it('is the same request as one that comes another way (S2.5)', async () => {
    const entity = await placed();
    await signal(entity, 'relabel', { label: 'one' }, { request: fresh(1) });
    const [answer] = await entity.raise({ id: fresh(1), event: 'relabel', params: { label: 'one' } });
    expect(answer).toMatchObject({ status: 'accepted', repeated: true });
  });

  it('waits for the store where only that knows whether it is new, also while it is away (S2.5, S5.2)', async () => {
    const entity = await placed(SIZES);
    for (const id of ['two', 'three', 'four']) await entity.raise({ id, event: 'relabel', params: { label: id } });
    entity.storing = false;
    await signal(entity, 'relabel', { label: 'late' }, { request: 'untimed' });
    expect(entity.snapshot).toMatchObject({ properties: { label: 'four' }, doubted: [{ kind: 'raise' }] });
    entity.storing = true;
    await entity.pass(500);
    expect(entity.snapshot).toMatchObject({ properties: { label: 'late' } });
    expect(entity.snapshot.doubted).toBeUndefined();
    expect(entity.opened).toMatchObject([{ id: 'untimed' }]);
  });

  it('is recorded and dropped where it was rejected after that (entity-life.3)', async () => {
    const entity = await placed(SIZES);
    for (const id of ['two', 'three', 'four']) await entity.raise({ id, event: 'relabel', params: { label: id } });
    await signal(entity, 'relabel', { label: 7 }, { request: 'untimed' });
    expect(entity.snapshot.dropped).toMatchObject({ signal: 'relabel', request: 'untimed' });
    expect(entity.warnings).toEqual(["dropped the signal 'relabel'"]);
  });
});

describe('a plain signal with an actor (S6.5)', () => {
  it('is taken where they may raise the event', async () => {
    const entity = await opened();
    await signal(entity, 'touch', {}, { actor: owner });
    expect(entity.snapshot.properties).toMatchObject({ touched: 1 });
  });

  it.each([
    ['who has none of the roles', { ...owner, roles: ['reader'] }, 'ada has none of them'],
    ['of another tenant', { ...owner, tenant: 'globex' }, 'another tenant'],
  ])('is recorded and dropped where it is one %s', async (_, actor, reason) => {
    const entity = await opened();
    const { version } = entity.snapshot;
    await signal(entity, 'touch', {}, { actor, request: fresh(1) });
    expect(entity.snapshot).toMatchObject({ version, properties: { touched: 0 } });
    expect(entity.snapshot.dropped).toMatchObject({ signal: 'touch', request: fresh(1) });
    expect(entity.snapshot.dropped?.reason).toContain(reason);
    expect(entity.opened.map(({ id }) => id)).not.toContain(fresh(1));
  });

  it('raises no internal event, and none of those of operators, unless the role is theirs', async () => {
    const entity = await opened();
    await signal(entity, 'seal', {}, { actor: { ...owner, tenant: '*', roles: ['operator'] } });
    expect(entity.snapshot).toMatchObject({ state: 'Open', dropped: { signal: 'seal' } });
    await signal(entity, 'reeve_lose', { successor: 'Vault/x' }, { actor: owner });
    expect(entity.snapshot.dropped?.reason).toContain('operator');
  });
});

describe('malformed options of a plain signal', () => {
  it.each([
    ['null', null, 'expected object'],
    ['a text', 'ticket-1', 'expected object'],
    ['an empty id', { request: '' }, 'request:'],
    ['a long id', { request: 'x'.repeat(251) }, 'request:'],
    ['an id with half a character', { request: '\ud800' }, 'no id can have'],
    ['an actor without a tenant', { actor: { subject: 'ada', roles: [] } }, 'actor.tenant:'],
    ['a name that is mistyped', { acter: owner }, 'acter'],
    ['a name within the actor that is mistyped', { actor: { ...owner, role: 'owner' } }, 'role'],
  ])('have it recorded and dropped: %s (entity-life.3, S6.5)', async (_, options, reason) => {
    const entity = await placed();
    const { version } = entity.snapshot;
    await signal(entity, 'relabel', { label: 'one' }, options);
    expect(entity.snapshot).toMatchObject({ version, dropped: { signal: 'relabel' } });
    expect(entity.snapshot.dropped?.reason).toContain('The options of a signal are { request, actor }');
    expect(entity.snapshot.dropped?.reason).toContain(reason);
    expect(entity.failure).toBeUndefined();
  });

  it('are also what comes after them (entity-life.3)', async () => {
    const entity = await placed();
    await signal(entity, 'relabel', { label: 'one' }, {}, { request: 'x' });
    expect(entity.snapshot).toMatchObject({ properties: { label: 'x' }, dropped: { signal: 'relabel' } });
  });
});

describe('what an entity decides on a plain signal is told the store, for the audit trail and the rejected events (S6.5, S2.2)', () => {
  const decisions = (entity: LoneEntity) => entity.offered.filter(({ kind }) => kind === 'decision');

  it('of each that names an actor, accepted or not', async () => {
    const entity = await opened();
    await signal(entity, 'touch', {}, { request: fresh(1), actor: owner });
    const reader = { ...owner, roles: ['reader'] };
    await signal(entity, 'touch', {}, { request: fresh(2), actor: reader });
    const of = {
      kind: 'decision',
      entity: { type: 'Vault', key: 'k', life: 'life-1' },
      event: 'touch',
      tenant: 'acme',
    };
    expect(decisions(entity)).toMatchObject([
      { ...of, request: fresh(1), actor: owner },
      { ...of, request: fresh(2), actor: reader, rejection: { code: 'not_allowed', state: 'Open' } },
    ]);
    expect(decisions(entity)[0]).not.toHaveProperty('rejection');
  });

  it('of each that is dropped, also where it is malformed; and of no other', async () => {
    const entity = await placed();
    await signal(entity, 'relabel', { label: 'one' });
    await signal(entity, 'place', { label: 'two' }, { request: fresh(3) });
    await signal(entity, 'relabel', { label: 'three' }, 'ada');
    expect(decisions(entity)).toMatchObject([
      { event: 'place', request: fresh(3), rejection: { code: 'already_done', state: 'Placed' } },
      { event: 'relabel', rejection: { code: 'malformed', state: 'Placed' } },
    ]);
  });
});

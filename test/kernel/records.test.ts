import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, stable, unstable } from '../../src/definition/index.js';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { changedContents } from '../../src/kernel/rules/changed-contents.js';
import { contentsAfter } from '../../src/protocol/contents-at.js';
import { newborn } from '../../src/kernel/actions/birth.js';
import { fail } from '../../src/kernel/actions/commit.js';
import { forOperation, recordEnd, recordRejected, recordStart } from '../../src/kernel/engagements/records.js';
import { entityRecord } from '../../src/kernel/explain/entity-record.js';
import { endedOperation } from '../../src/protocol/ended-operation.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { Engagement } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Site } from '../entities/site.js';
import { Seed } from '../entities/town.js';
import { Puppet } from '../support/entities.js';

const entity = { type: 'Box', key: 'k', life: 'life-1' };
const only = <K extends StoreRecord['kind']>(puppet: Puppet, kind: K) =>
  puppet.records.filter((record): record is Extract<StoreRecord, { kind: K }> => record.kind === kind);

/** A box that was placed at once, after its action had failed. */
function placed(request: object = {}): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' }, request);
  box.now += 10;
  box.end('Placing');
  box.startAutomatic();
  box.throws('shelf_full');
  box.pass();
  box.startAutomatic();
  box.now += 5;
  box.end('Placed', { properties: { label: 'x', place: 1 } });
  return box;
}

describe('the record of a transition (S5.1, records.1)', () => {
  it('says where it led, by which action and attempt, and what that came to', () => {
    const event = { kind: 'transition', entity, operation: 'place-id', event: 'place-id' };
    const error = { kind: 'retryable', code: 'shelf_full', message: 'shelf_full' };
    const put = {
      type: 'AutoAction',
      action: 'put',
      startState: 'Placing',
      startHealth: 'normal',
      startEnteredAt: 1_010,
    };
    expect(only(placed(), 'transition')).toStrictEqual([
      {
        ...{ ...event, version: 1, ordinal: 1, type: 'EventAction', action: 'begin', actionStartedAt: 1_000 },
        ...{ startState: 'Absent', startHealth: 'normal', startEnteredAt: 1_000, startedAt: 1_000, retries: 0 },
        ...{ endState: 'Placing', endHealth: 'normal', at: 1_010, outcome: 'success' },
        changes: [{ part: 'properties', name: 'label', value: 'none' }],
      },
      {
        ...{ ...event, ...put, version: 2, ordinal: 2, actionStartedAt: 1_010, startedAt: 1_010, retries: 0 },
        ...{ endState: 'Placing', endHealth: 'normal', at: 1_010, outcome: 'failed', error },
      },
      {
        ...{ ...event, ...put, version: 3, ordinal: 3, actionStartedAt: 1_110, startedAt: 1_110, retries: 1 },
        ...{ endState: 'Placed', endHealth: 'normal', at: 1_115, outcome: 'success' },
        changes: [
          { part: 'properties', name: 'label', value: 'x' },
          { part: 'properties', name: 'place', value: 1 },
        ],
      },
    ]);
  });

  it('is one of entry by creation where no action ran (S2.1)', () => {
    const seed = new Puppet(Seed, 's', { colour: 'red' });
    seed.comeToBe();
    const id = 'Seed/s#life-1/created@0000000001000';
    expect(only(seed, 'transition')).toStrictEqual([
      {
        ...{ kind: 'transition', entity: { type: 'Seed', key: 's', life: 'life-1' }, operation: id, event: id },
        ...{
          version: 0,
          ordinal: 1,
          type: 'Event',
          startState: 'Growing',
          startHealth: 'normal',
          startEnteredAt: 1_000,
        },
        ...{ startedAt: 1_000, retries: 0, endState: 'Growing', endHealth: 'normal', at: 1_000, outcome: 'success' },
        changes: [{ part: 'properties', name: 'colour', value: 'red' }],
      },
    ]);
  });

  it('says what it has changed, each member of subordinates by itself, and what is too large (records.5)', () => {
    const held = { properties: { a: 1, b: { c: [1, 2] }, gone: 'x', text: 'short' }, links: { one: 'k' } };
    const rules = { stays: { x: 1 }, moves: { x: 1 }, goes: { x: 1 } };
    const before = { ...held, subordinates: { rules, many: {} } };
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`member-${index}`, { x: index }]));
    const after = {
      properties: { b: { c: [1, 2] }, a: null, text: 'long '.repeat(2_000) },
      links: { one: 'k', others: ['l'] },
      subordinates: { rules: { stays: { x: 1 }, moves: { x: 2 }, comes: { x: 1 } }, many },
    };
    const changes = changedContents(before, after);
    const rule = { part: 'subordinates', name: 'rules' };
    expect(changes).toEqual([
      { part: 'properties', name: 'a', value: null },
      { part: 'properties', name: 'gone' },
      { part: 'properties', name: 'text', leftOut: true },
      { part: 'links', name: 'others', value: ['l'] },
      { ...rule, key: 'moves', value: { x: 2 } },
      { ...rule, key: 'goes' },
      { ...rule, key: 'comes', value: { x: 1 } },
      { part: 'subordinates', name: 'many', leftOut: true },
    ]);
    const nothing = { properties: {}, links: {}, subordinates: {} };
    expect(contentsAfter([...changedContents(nothing, before), ...changes])).toEqual({
      properties: { b: { c: [1, 2] }, a: null },
      links: after.links,
      subordinates: { rules: after.subordinates.rules },
      leftOut: ['properties.text', 'subordinates.many'],
    });
  });

  it('shows an error state, and one whose attempts are used up (S1.4, S3.5)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.throws('shelf_gone', true);
    box.startAutomatic();
    box.throws('no_way', true);
    expect(
      only(box, 'transition').map(({ startHealth, endHealth, outcome }) => [startHealth, endHealth, outcome]),
    ).toEqual([
      ['normal', 'normal', 'success'],
      ['normal', 'error', 'exhausted'],
      ['error', 'error', 'exhausted'],
    ]);
    expect(entityRecord(Box, { ...box.snapshot, state: 'Placing' }, 7)).toMatchObject({
      health: 'error',
      settled: true,
    });
  });
});

describe('the records of an event (S5.1, records.2, records.3)', () => {
  const start = {
    ...{ kind: 'event', id: 'place-id', operation: 'place-id', position: '1', event: 'place', eventType: 'raised' },
    ...{ startState: 'Absent', startVersion: 0, startedAt: 1_000, entity, restarts: 0, dimensions: {} },
    fingerprint: contentFingerprint({ event: 'place', params: { label: 'x' } }),
  };

  it('are one when it is accepted and one when it has ended, with the last error of any action', () => {
    const error = { kind: 'retryable', code: 'shelf_full', message: 'shelf_full' };
    expect(only(placed(), 'event')).toStrictEqual([
      start,
      { ...start, endState: 'Placed', endHealth: 'normal', endVersion: 3, endedAt: 1_115, error },
    ]);
  });

  it('name an exception without its stack as the error, and with it as the exception', () => {
    const box = placed();
    box.raise('look');
    const defect = { kind: 'defect', code: 'defect', message: 'oops', stack: 'at line 1' } as const;
    box.end('Placed', { error: defect });
    const { stack: _, ...reported } = defect;
    expect(only(box, 'event').at(-1)).toMatchObject({ error: reported, exception: defect });
    expect(only(box, 'event').at(-1)?.error).not.toHaveProperty('stack');
    box.raise('look', undefined, { id: 'second' });
    box.end('Placed', { error: { ...reported, kind: 'retryable' } });
    expect(only(box, 'event').at(-1)).not.toHaveProperty('exception');
  });

  it('name no exception any more once an action has ended well; the transition tells of it (S5.1)', () => {
    const defect = { kind: 'defect', code: 'defect', message: 'oops', stack: 'at line 1' } as const;
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.apply(fail(Box, box.snapshot, defect, box.now));
    expect(box.snapshot.engagements.at(-1)).toMatchObject({ exception: defect });
    box.pass();
    box.startAutomatic();
    box.throws('shelf_full');
    expect(box.snapshot.engagements.at(-1)).toMatchObject({ exception: defect, reported: { code: 'shelf_full' } });
    box.pass();
    box.startAutomatic();
    box.end('Placed', { properties: { label: 'x', place: 1 } });
    const ended = only(box, 'event').at(-1)!;
    expect(ended).toMatchObject({ endState: 'Placed', error: { code: 'shelf_full' } });
    expect(ended).not.toHaveProperty('exception');
    expect(only(box, 'transition').map(({ error }) => error?.stack)).toEqual([
      undefined,
      'at line 1',
      undefined,
      undefined,
    ]);
  });

  it('have their order where they start in the same millisecond, as have the operations that they open (S5.1)', () => {
    const box = placed();
    for (const id of ['one', 'two']) {
      box.raise('relabel', { label: id }, { id });
      box.end();
    }
    box.raise('look', undefined, { id: 'three' });
    box.raise('look', undefined, { id: 'waits' });
    const orders = Object.fromEntries(only(box, 'event').map(({ id, startOrder = 0 }) => [id, startOrder]));
    expect(orders).toEqual({ 'place-id': 0, one: 0, two: 1, three: 2 });
    const opened = box.effects.flatMap((effect) => (effect.kind === 'open' ? [effect.operation] : []));
    expect(opened.at(-1)).toMatchObject({ id: 'waits', startOrder: 3 });
    box.now++;
    box.raise('look', undefined, { id: 'later' });
    const later = box.effects.flatMap((effect) => (effect.kind === 'open' ? [effect.operation] : [])).at(-1);
    expect(later).toMatchObject({ id: 'later' });
    expect(later).not.toHaveProperty('startOrder');
  });

  it('count how often it was resumed after a failure', () => {
    const { snapshot } = placed();
    const engagement: Engagement = {
      ...{
        id: 'e',
        event: 'look',
        eventType: 'timer',
        operation: 'op',
        opened: true,
        position: '1.2',
        startState: 'Placed',
      },
      ...{ startVersion: 3, startedAt: 5, transitions: 1, caused: [], restarts: 2 },
    };
    expect(recordStart(Box, snapshot, engagement)).toMatchObject({
      kind: 'record',
      record: { restarts: 2, position: '1.2' },
    });
    const outcome = { state: 'Lost', version: 4, health: 'error', waiting: false } as const;
    const ended = recordEnd(Box, snapshot, engagement, outcome, 9);
    expect(ended).toMatchObject({
      record: { restarts: 2, eventType: 'timer', endState: 'Lost', endHealth: 'error', endedAt: 9 },
    });
    // Its operation has a workflow of its own.
    expect(ended).not.toHaveProperty('record.ends');
  });

  it('are one where it was rejected, with why', () => {
    const { snapshot } = placed();
    const rejection = { code: 'gone', message: 'it is gone', entity: 'Box/k', event: 'look' };
    const rejected = {
      ...{ kind: 'event', id: 'r', entity, operation: 'r', position: '1', event: 'look', eventType: 'raised' },
      ...{ startState: 'Placed', startVersion: 3, startedAt: 9, endState: 'Placed', endHealth: 'normal', endedAt: 9 },
      ...{ error: { kind: 'rejected', code: 'gone', message: 'it is gone' }, restarts: 0, dimensions: {} },
    };
    expect(recordRejected(Box, snapshot, { id: 'r', event: 'look' }, rejection, 9)).toStrictEqual({
      kind: 'record',
      record: rejected,
    });
    const asked = { id: 'r', event: 'look', operation: 'op', position: '1.3' };
    expect(recordRejected(Box, snapshot, asked, rejection, 9)).toMatchObject({
      record: { operation: 'op', position: '1.3' },
    });
  });

  it('tell of an operation that has ended with its event, where that has no workflow', () => {
    const box = placed();
    box.raise('relabel', { label: 'y' });
    box.now += 3;
    box.end();
    const ended = () => endedOperation(only(box, 'event').at(-1)!);
    expect(ended()).toStrictEqual({
      ...{ kind: 'operation', id: 'relabel-id', name: 'relabel Box/k' },
      ...{ startedAt: 1_115, answeredAt: 1_118, endedAt: 1_118 },
      ...{ outcome: 'success', restarts: 0, dimensions: {}, settledOn: 'Box/k' },
    });
    box.raise('break');
    box.throws('oops');
    const error = { kind: 'retryable', code: 'oops', message: 'oops' };
    expect(ended()).toMatchObject({ id: 'break-id', outcome: 'failed', error });
    expect(endedOperation(only(box, 'event').at(-2)!)).toBeUndefined();
  });
});

describe('what an operation is told for its own record (S5.1)', () => {
  it('is the dimensions of its root, and restarts where there were any', () => {
    const { snapshot } = new Puppet(Site, 'shop', { size: 2 });
    const engagement = { position: '1', restarts: 2 } as Engagement;
    const dimensions = { site_id: 'shop', data_cluster_id: 'west' };
    expect(forOperation(Site, snapshot, engagement, 7)).toStrictEqual({ at: 7, dimensions, restarts: 2 });
    expect(forOperation(Site, snapshot, { position: '1.1' } as Engagement, 7)).toStrictEqual({});
    expect(forOperation(Box, new Puppet(Box).snapshot, { position: '1' } as Engagement, 7)).toStrictEqual({ at: 7 });
  });
});

describe('the record of an entity (S5.2)', () => {
  it('shows it as it stands', () => {
    const site = new Puppet(Site, 'shop', { size: 2, application: 'app' });
    const { properties, links, subordinates } = site.snapshot;
    const base = {
      ...{ kind: 'entity', entity: { type: 'Site', key: 'shop', life: 'life-1' }, bornAt: 1_000, enteredAt: 1_000 },
      ...{ properties, links, subordinates, health: 'normal', deleted: false, at: 9 },
      dimensions: { site_id: 'shop', data_cluster_id: 'west', application: 'app' },
    };
    expect(entityRecord(Site, site.snapshot, 9)).toStrictEqual({ ...base, version: 0, state: 'Empty', settled: true });
    site.raise('build');
    expect(entityRecord(Site, site.snapshot, 9)).toMatchObject({ settled: false, operation: 'build-id' });
    site.end('Building');
    expect(entityRecord(Site, site.snapshot, 9)).toMatchObject({ state: 'Building', settled: false, version: 1 });
    const deleted = { ...site.snapshot, state: 'Deleted', operation: { id: 'op', open: false, position: '1' } };
    expect(entityRecord(Site, deleted, 9)).toMatchObject({ deleted: true, settled: true });
    expect(entityRecord(Site, deleted, 9)).not.toHaveProperty('operation');
    const waiting = { ...new Puppet(Room).snapshot, state: 'Waiting' };
    expect(entityRecord(Room, waiting, 9)).toMatchObject({ settled: false });
  });
});

describe('an entity as it comes to be (S2.1)', () => {
  const nothing = { properties: {}, links: {}, subordinates: {} };
  const empty = {
    ...{
      life: 'l',
      bornAt: 5,
      version: 0,
      entry: 0,
      enteredAt: 5,
      ticks: {},
      ...nothing,
      attempt: 0,
      exhausted: false,
    },
    ...{ engagements: [], waiting: [], awaiting: [], reservers: [], fence: 0, holds: [], successors: [], watchers: [] },
    ...{ used: [], judgements: [], ledger: { recent: [], older: [], forgotten: 0 } },
  };

  it('has nothing but its contents, and its tenant where it has one', () => {
    const ref = { type: 'Box', key: 'b' };
    expect(newborn(Box, ref, 'l', 5, nothing)).toStrictEqual({ ...empty, ...ref, state: 'Absent' });
    expect(newborn(Box, ref, 'l', 5, nothing, 'acme')).toStrictEqual({
      ...empty,
      ...ref,
      state: 'Absent',
      tenant: 'acme',
    });
    const seed = { type: 'Seed', key: 's' };
    expect(newborn(Seed, seed, 'l', 5, nothing)).toStrictEqual({
      ...empty,
      ...seed,
      state: 'Growing',
      nextAttemptAt: 55,
    });
    const { wait: _, ...hasty } = Seed.states.Growing;
    const eager = { ...Seed, states: { ...Seed.states, Growing: hasty } };
    expect(newborn(eager, seed, 'l', 5, nothing)).toMatchObject({ nextAttemptAt: 5 });
  });

  it('without an event is an engagement like any other (S1.4)', () => {
    const from = { type: 'Town', key: 't', life: 'town-life', judges: true };
    const seed = new Puppet(Seed, 's', { colour: 'red' });
    seed.comeToBe({ id: 'c', event: 'created', operation: 'op', position: '1.1', awaited: 'w', from });
    expect(seed.snapshot).toMatchObject({
      operation: { id: 'op', open: true, position: '1.1' },
      watchers: [from],
      ledger: { recent: [{ id: 'c', operation: 'op' }] },
    });
    expect(seed.snapshot.engagements).toStrictEqual([
      {
        ...{ id: 'c', event: 'created', eventType: 'raised', operation: 'op', opened: true, position: '1.1' },
        ...{ startState: 'Growing', startVersion: 0, startedAt: 1_000, transitions: 1, caused: [] },
        awaiter: { type: 'Town', key: 't', life: 'town-life' },
        fingerprint: contentFingerprint({ event: 'created' }),
      },
    ]);
    const alone = new Puppet(Seed, 's', { colour: 'red' });
    alone.comeToBe();
    const id = 'Seed/s#life-1/created@0000000001000';
    expect(alone.snapshot).toMatchObject({ operation: { id, open: true, position: '1' }, watchers: [] });
    // Its action comes after a wait, so its operation has been opened.
    expect(alone.snapshot.engagements).toMatchObject([{ id, operation: id, opened: true, position: '1' }]);
    expect(alone.snapshot.engagements[0]).not.toHaveProperty('awaiter');
    expect(alone.taken()).toMatchObject([{ kind: 'open', operation: { id, name: 'created Seed/s' } }]);
    expect(only(alone, 'event')).toMatchObject([{ id, event: 'created' }]);
  });
});

describe('the dimensions of the rows of an event (S5.1, records.4)', () => {
  const Ship = defineEntity('Ship', {
    key: z.string(),
    properties: z.object({
      port: z.string().default('none'),
      bound: z.string().optional(),
      cargo: z.string().optional(),
    }),
    dimensions: { port: 'properties.port', target_port: 'properties.bound', cargo: 'properties.cargo' },
    states: { Docked: initial(), Sailing: unstable(), Moored: stable() },
    events: { sail: { in: ['Docked', 'Moored'] }, paint: { in: ['Docked', 'Moored'] } },
    actions: {
      cast: { on: 'sail', in: ['Docked', 'Moored'], to: 'Sailing' },
      sail: { in: 'Sailing', to: 'Moored' },
      paint: { on: 'paint', in: ['Docked', 'Moored'] },
    },
  });
  const rows = (ship: Puppet) => only(ship, 'event').map(({ event, dimensions }) => [event, dimensions] as const);

  /** A ship that has sailed from Ostend to Riga. */
  function sailed(): Puppet {
    const ship = new Puppet(Ship);
    ship.snapshot = { ...ship.snapshot, properties: { port: 'Ostend' } };
    ship.raise('sail');
    ship.end('Sailing', { properties: { port: 'Ostend', bound: 'Riga' } });
    ship.startAutomatic();
    ship.end('Moored', { properties: { port: 'Riga', bound: 'Riga', cargo: 'salt' } });
    return ship;
  }

  it('say during and after it where the entity was and where it was to go', () => {
    const ship = sailed();
    const way = { port: 'Ostend', target_port: 'Riga' };
    expect(rows(ship)).toEqual([
      ['sail', { port: 'Ostend' }],
      ['sail', way],
      // A value that was not known then is added.
      ['sail', { ...way, cargo: 'salt' }],
    ]);
    // The entity itself is where it is.
    expect(entityRecord(Ship, ship.snapshot, 9).dimensions).toEqual({
      port: 'Riga',
      target_port: 'Riga',
      cargo: 'salt',
    });
  });

  it('are those of its operation as well', () => {
    const ship = sailed();
    const ended = endedOperation(only(ship, 'event').at(-1)!);
    expect(ended?.dimensions).toEqual({ port: 'Ostend', target_port: 'Riga', cargo: 'salt' });
    const followed = { position: '1', dimensions: { port: 'Ostend' } } as unknown as Engagement;
    expect(forOperation(Ship, ship.snapshot, followed, 7).dimensions).toMatchObject({ port: 'Ostend' });
  });

  it('are told anew only where the first transition does not end the event', () => {
    const ship = sailed();
    ship.records.splice(0);
    ship.raise('paint');
    ship.end(undefined, { properties: { port: 'Riga' } });
    expect(rows(ship)).toEqual([
      ['paint', { port: 'Riga', target_port: 'Riga', cargo: 'salt' }],
      ['paint', { port: 'Riga' }],
    ]);
  });
});

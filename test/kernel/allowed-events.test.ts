import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { any, defineEntity, initial, stable } from '../../src/definition/index.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const Door = defineEntity('Door', {
  key: z.string(),
  properties: z.object({}),
  states: { Open: initial(), Shut: stable() },
  events: { shut: { in: 'Open' }, open: { in: 'Shut' }, slam: { in: 'Open', internal: true } },
  actions: {
    shut: { on: 'shut', in: 'Open', to: 'Shut' },
    open: { on: 'open', in: 'Shut', to: 'Open' },
    slam: { on: 'slam', in: 'Open', to: 'Shut' },
  },
  subscriptions: { wind: { when: any({ of: 'Window', in: 'Broken' }), raise: 'slam' } },
});

describe('the events that are valid now (S2.6)', () => {
  it('are told for every declared event, with the reason where one is not', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    const events = allowedEvents(Box, box.snapshot);
    expect(events.map(({ event }) => event)).toEqual(Object.keys(Box.events));
    expect(events[0]).toMatchObject({
      event: 'place',
      allowed: false,
      rejection: { code: 'already_in_progress', operation: 'place-id' },
    });
    expect(events[1]).toMatchObject({ event: 'relabel', allowed: false, rejection: { code: 'not_valid' } });
  });

  it('count as valid whatever parameters they need', () => {
    expect(allowedEvents(Box, new Puppet(Box).snapshot)[0]).toEqual({ event: 'place', allowed: true });
  });

  it('are told to an actor by the roles too; an internal event is nobody’s to raise (S6.5)', () => {
    const actor = { subject: 'eve', tenant: '*', roles: ['reader'] };
    const { snapshot } = new Puppet(Door);
    const guarded = { ...Door, roles: { raise: ['owner'] } };
    const codes = (roles: readonly string[]) =>
      allowedEvents(guarded, snapshot, { ...actor, roles }).map((each) => (each.allowed ? 'ok' : each.rejection.code));
    expect(codes(['reader'])).toEqual(['not_allowed', 'not_allowed', 'not_public']);
    expect(codes(['owner'])).toEqual(['ok', 'not_valid', 'not_public']);
    const [shut] = allowedEvents(guarded, snapshot, actor);
    expect(shut).toMatchObject({ event: 'shut', allowed: false, rejection: { event: 'shut' } });
    expect(shut).not.toHaveProperty('behind');
    expect(Object.keys(allowedEvents(Door, snapshot)[0]!)).toEqual(['event', 'allowed']);
  });

  it('do not wait behind the action that runs where they are not for those outside (S2.1, S2.2)', () => {
    const door = new Puppet(Door);
    door.raise('shut');
    const slam = allowedEvents(Door, door.snapshot).find(({ event }) => event === 'slam')!;
    expect(slam).toMatchObject({ allowed: false, rejection: { code: 'not_public' } });
    expect(slam).not.toHaveProperty('behind');
  });

  it('wait behind the action that runs, unless it is certain that they are rejected (S2.2, S2.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    const [place, ...others] = allowedEvents(Box, box.snapshot);
    expect(place).toMatchObject({ allowed: false, rejection: { code: 'already_in_progress' } });
    expect(place).not.toHaveProperty('behind');
    for (const event of others) expect(event.behind, event.event).toBe('put');
  });
});

describe('an internal event (S2.1)', () => {
  const slam = (request: object) => new Puppet(Door).raise('slam', undefined, request);

  it('is rejected from outside, whatever the state, and taken from another entity', () => {
    expect(slam({})).toMatchObject({ status: 'rejected', rejection: { code: 'not_public', validNow: ['shut'] } });
    const from = { type: 'House', key: 'h', life: 'l', judges: false };
    expect(slam({ from, operation: 'o' })).toMatchObject({ status: 'accepted' });
    expect(slam({ from })).toMatchObject({ status: 'accepted' });
  });

  it('does not wait for the action that runs, only to be rejected then (S2.2)', () => {
    const door = new Puppet(Door);
    door.raise('shut');
    expect(door.raise('slam')).toMatchObject({ status: 'rejected', rejection: { code: 'not_public' } });
    expect(door.snapshot.waiting).toEqual([]);
  });

  it('is taken from an operation that is to be cancelled (S4.7)', () => {
    expect(slam({ operation: 'o' })).toMatchObject({ status: 'accepted' });
  });

  it('is taken from a subscription of its own', () => {
    const door = new Puppet(Door);
    door.raise('shut');
    const window = {
      to: { type: 'Window', key: 'w' },
      creates: true,
      request: { id: 'r', event: 'break' },
      judges: true,
    };
    door.end('Shut', { raises: [window] });
    door.raise('open', undefined, { operation: 'shut-id' });
    door.end('Open');
    door.report({
      kind: 'report',
      from: { type: 'Window', key: 'w', life: 'l' },
      toLife: 'life-1',
      version: 1,
      outcome: { state: 'Broken', version: 1, health: 'error', waiting: false },
      ended: ['r'],
    });
    expect(door.snapshot.running).toMatchObject({ action: 'slam', subscription: 'wind' });
  });

  it('is not valid for those outside, who are told why', () => {
    const [, , event] = allowedEvents(Door, new Puppet(Door).snapshot);
    expect(event).toMatchObject({ event: 'slam', allowed: false, rejection: { code: 'not_public' } });
  });
});

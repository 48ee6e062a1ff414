import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { all, and, any, defineEntity, initial, none, stable } from '../../src/definition/index.js';
import { followsAcceptance } from '../../src/kernel/successors/acceptance.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { Accepted } from '../../src/protocol/successor-messages.js';
import { parseEntityMessage } from '../../src/protocol/parse.js';
import { Box, Room } from '../entities/box.js';
import { Seed } from '../entities/town.js';
import { Puppet } from '../support/entities.js';

/** Goes on as soon as its boxes have been accepted, and rests until they are placed. */
const Order = defineEntity('Order', {
  key: z.string(),
  properties: z.object({}),
  states: { Draft: initial(), Sent: stable({ waiting: true }), Taken: stable({ waiting: true }), Done: stable() },
  events: { send: { in: 'Draft' }, taken: { in: 'Sent' }, placed: { in: 'Taken' }, again: { in: 'Done' } },
  actions: {
    send: { on: 'send', in: 'Draft', to: 'Sent' },
    take: { on: 'taken', in: 'Sent', to: 'Taken' },
    finish: { on: 'placed', in: 'Taken', to: 'Done' },
    again: { on: 'again', in: 'Done', to: 'Draft' },
  },
  subscriptions: {
    taken: { when: all({ of: Box, is: 'accepted' }), raise: 'taken' },
    placed: { when: any({ of: Box, in: 'Placed' }), raise: 'placed' },
  },
});

const from = { type: 'Order', key: 'o', life: 'life-1', judges: true, follows: true };
const accepted = (key: string, more: Partial<Accepted> = {}): Accepted => ({
  kind: 'accepted',
  from: { type: 'Box', key, life: `life-${key}` },
  toLife: 'life-1',
  request: `place-${key}`,
  ...more,
});

/** An order that waits for its boxes a and b. */
function sent(): Puppet {
  const order = new Puppet(Order, 'o');
  order.raise('send');
  const raises = ['a', 'b'].map((key) => ({
    to: { type: 'Box', key },
    creates: true,
    request: { id: `place-${key}`, event: 'place' },
    judges: true,
    follows: true,
  }));
  order.end('Sent', { raises });
  order.taken();
  return order;
}

const successor = (order: Puppet, key: string) => order.snapshot.successors.find((each) => each.key === key);

describe('the acceptance of an event raised without waiting (S3.3, S4.3)', () => {
  it('is told to those whose subscriptions ask for it, and to nobody else', () => {
    expect([followsAcceptance(Order), followsAcceptance(Room), followsAcceptance(Box)]).toEqual([true, false, false]);
    const box = new Puppet(Box, 'a');
    box.raise('place', { label: 'x' }, { id: 'place-a', operation: 'op', from });
    const both = and(any({ of: Box, is: 'accepted' }), none({ is: 'failed' }));
    expect(followsAcceptance({ ...Order, subscriptions: { both: { when: both, raise: 'taken' } } })).toBe(true);
    const message = accepted('a', { from: { type: 'Box', key: 'a', life: 'life-1' }, chain: { length: 2 } });
    expect(box.taken()).toEqual([{ kind: 'send', to: { type: 'Order', key: 'o' }, message }]);
    expect(parseEntityMessage(message satisfies EntityMessage)).toBeUndefined();

    const quiet = new Puppet(Box, 'b');
    quiet.raise('place', { label: 'x' }, { operation: 'op', from: { ...from, follows: false } });
    expect(quiet.taken()).toEqual([]);
  });

  it('is told of an event that had to wait, and of an entity that comes to be without one (S2.1, S2.3)', () => {
    const box = new Puppet(Box, 'a');
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.raise('relabel', { label: 'y' }, { id: 'r', operation: 'op', from });
    box.end('Placed');
    box.taken();
    box.admitWaiting();
    expect(box.taken()).toMatchObject([{ kind: 'send', message: { kind: 'accepted', request: 'r' } }]);

    const seed = new Puppet(Seed, 's', { colour: 'red' });
    seed.comeToBe({ id: 'c', event: 'created', operation: 'op', from });
    expect(seed.taken()).toMatchObject([{ kind: 'send', message: { kind: 'accepted', request: 'c' } }]);
  });

  it('makes a pattern true, and the operation hears at once of what that sets off (S4.2)', () => {
    const order = sent();
    order.accepted(accepted('a'));
    expect(successor(order, 'a')?.event).toBe('accepted');
    expect(order.snapshot.running).toBeUndefined();
    expect(order.taken()).toEqual([]);
    order.accepted(accepted('b'));
    expect(order.snapshot.running).toMatchObject({ action: 'take', subscription: 'taken' });
    const [engagement] = order.snapshot.engagements;
    expect(order.taken()).toEqual([
      {
        kind: 'tell',
        operation: 'send-id',
        message: {
          kind: 'judged',
          judgements: [],
          caused: [{ engagement: engagement!.id, on: 'Order/o', event: 'taken' }],
        },
      },
    ]);
  });

  it('does no harm when it comes late, twice, or to another life (S4.4)', () => {
    const order = sent();
    const report = (key: string) => ({
      kind: 'report' as const,
      from: { type: 'Box', key, life: `life-${key}` },
      toLife: 'life-1',
      version: 3,
      outcome: { state: 'Lost', version: 3, health: 'error' as const, waiting: false },
      ended: [`place-${key}`],
    });
    order.report(report('a'));
    const before = order.snapshot;
    order.accepted(accepted('a'));
    order.accepted(accepted('b', { toLife: 'life-0' }));
    order.accepted(accepted('b', { request: 'an-older-one' }));
    order.accepted(accepted('c'));
    order.accepted(accepted('c', { request: 'place-b' }));
    expect(order.snapshot).toBe(before);
    order.accepted(accepted('b'));
    const { running } = order.snapshot;
    order.accepted(accepted('b'));
    expect(order.snapshot.running).toBe(running);
  });

  it('leaves the successor one that is waited for, and that is looked after (S4.4)', () => {
    const order = sent();
    order.accepted(accepted('a'));
    order.pass();
    expect(order.look().map(({ to }) => to.key)).toEqual(['a', 'b']);
  });
});

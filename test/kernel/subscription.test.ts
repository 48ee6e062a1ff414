import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/protocol/report.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { counted, dueSubscription } from '../../src/kernel/rules/due-subscription.js';
import { all } from '../../src/definition/index.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const intent = (key: string) => ({
  to: { type: 'Box', key },
  creates: true,
  request: { id: `order-${key}`, event: 'place' },
  judges: true,
});

function report(key: string, version: number, state = 'Placed', extra: Partial<Report> = {}): Report {
  return {
    kind: 'report',
    from: { type: 'Box', key, life: `life-${key}` },
    toLife: 'life-1',
    version,
    outcome: { state, version, health: state === 'Lost' ? 'error' : 'normal', waiting: false },
    ended: [`order-${key}`],
    judgement: { id: `judge-${key}-${version}`, operations: ['furnish-id'] },
    ...extra,
  };
}

/** A box that has been placed. */
const placed: Successor = {
  ...{ type: 'Box', key: 'a', life: 'life-a', operation: 'op', position: '1.1', request: 'order-a' },
  ...{ event: 'settled', version: 3 },
  outcome: { state: 'Placed', version: 3, health: 'normal', waiting: false },
};

/** A room that waits for its boxes a and b. */
function waiting(): Puppet {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: ['a', 'b'] });
  room.end('Furnishing');
  room.startAutomatic();
  room.end('Waiting', { raises: [intent('a'), intent('b')] });
  room.taken();
  return room;
}

describe('a subscription', () => {
  it('raises its event when the last successor makes the pattern true, and not before (S4.3, subscription.1)', () => {
    const room = waiting();
    room.report(report('a', 3));
    expect(room.snapshot.running).toBeUndefined();
    room.report(report('b', 3));
    expect(room.snapshot.running).toMatchObject({ action: 'finish', subscription: 'placed' });
  });

  it('fires once for a match, however often its reports come (S4.3, S4.4, receive.1, subscription.2)', () => {
    const room = waiting();
    room.report(report('a', 3));
    room.report(report('b', 3));
    const { running } = room.snapshot;
    room.report(report('b', 3));
    room.report(report('a', 3));
    expect(room.snapshot.running).toBe(running);
    room.end('Ready');
    expect(room.snapshot).toMatchObject({ state: 'Ready' });
    expect(room.snapshot.running).toBeUndefined();
  });

  it('does not believe a report that is older than what it knows (S4.4, receive.1)', () => {
    const room = waiting();
    room.report(report('a', 9));
    room.report(report('a', 3, 'Lost'));
    expect(room.snapshot.successors.find(({ key }) => key === 'a')?.outcome?.state).toBe('Placed');
  });

  it('believes the first report also of an entity that has settled as it came to be (S2.1, S4.4, receive.1)', () => {
    const room = waiting();
    room.report(report('a', 0));
    expect(room.snapshot.successors.find(({ key }) => key === 'a')?.outcome?.state).toBe('Placed');
  });

  it('does not believe the outcome of a repeated creation that is older than what it knows (S3.2, S4.4, receive.1)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] });
    room.end('Furnishing');
    room.startAutomatic();
    room.end(undefined, { raises: [intent('a')] });
    room.report(report('a', 3, 'Moving'));
    room.report(report('a', 4, 'Placed', { ended: ['another'] }));
    room.now += 1_000;
    room.startAutomatic();
    room.end('Waiting', { raises: [intent('a')] });
    room.report(report('a', 3, 'Moving', { again: true }));
    expect(room.snapshot.successors).toMatchObject([{ version: 4, outcome: { state: 'Placed' } }]);
    expect(room.snapshot.running?.action).toBe('finish');
  });

  it('ignores a report that is meant for an earlier life of the key (receive.2)', () => {
    const room = waiting();
    const before = room.snapshot;
    room.report(report('a', 3, 'Placed', { toLife: 'life-0' }));
    expect(room.snapshot).toBe(before);
  });

  it('confirms a report that is meant for an earlier life of the key at once: nobody is left to judge it (S4.2, receive.3)', () => {
    const room = waiting();
    room.report(report('a', 3, 'Placed', { toLife: 'life-0' }));
    expect(room.taken()).toEqual([
      {
        kind: 'tell',
        operation: 'furnish-id',
        message: { kind: 'judged', judgements: ['judge-a-3'], caused: [] },
      },
    ]);
  });

  it('fires on entering a state in which the pattern is already there (S4.3, subscription.1)', () => {
    const room = waiting();
    room.report(report('a', 3));
    // While another action runs, the last report is only noted.
    room.raise('boxLost');
    room.report(report('b', 3));
    expect(room.snapshot.running?.action).toBe('fail');
    room.throws('oops');
    expect(room.snapshot).toMatchObject({ state: 'Waiting', running: { action: 'finish', subscription: 'placed' } });
  });

  it('is told to the operation with the end of what led to the state in which it fires (S4.2, subscription.1, settle.2)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] }, { operation: 'op' });
    room.end('Furnishing');
    room.startAutomatic();
    room.snapshot = { ...room.snapshot, successors: [{ ...placed, operation: 'op' }] };
    room.end('Waiting');
    const [engagement] = room.snapshot.engagements;
    expect(engagement).toMatchObject({ event: 'boxesPlaced', operation: 'op' });
    const ended = room.taken().flatMap((effect) => (effect.kind === 'tell' ? [effect.message] : []));
    expect(ended).toMatchObject([
      { kind: 'ended', engagement: 'furnish-id', caused: [{ engagement: engagement!.id, on: 'Room/k' }] },
    ]);
  });

  it('confirms a report to the operation only together with what it set off (S4.2, subscription.3)', () => {
    const room = waiting();
    room.report(report('a', 3));
    expect(room.taken()).toMatchObject([
      { kind: 'tell', operation: 'furnish-id', message: { kind: 'judged', judgements: ['judge-a-3'], caused: [] } },
    ]);
    room.report(report('b', 3));
    const [told] = room.taken();
    expect(told).toMatchObject({ kind: 'tell', message: { kind: 'judged', judgements: ['judge-b-3'] } });
    const { id: engagement } = room.snapshot.engagements[0]!;
    expect(told).toHaveProperty('message.caused', [{ engagement, on: 'Room/k', event: 'boxesPlaced' }]);
  });

  it('does not start again at once when its action has failed, but after a delay', () => {
    const room = waiting();
    room.report(report('a', 3));
    room.report(report('b', 3));
    room.throws('oops');
    expect(room.snapshot).toMatchObject({ state: 'Waiting', rearm: { at: room.now + 1_000, failures: 1 } });
    expect(room.snapshot.running).toBeUndefined();
    room.now += 1_000;
    room.lookAgain();
    expect(room.snapshot.running?.action).toBe('finish');
  });

  it('does not start again at once after a failure when its pattern goes and comes back meanwhile', () => {
    const room = waiting();
    room.report(report('a', 3));
    room.report(report('b', 3));
    room.throws('oops');
    room.report(report('b', 4, 'Moving'));
    room.report(report('b', 5));
    expect(room.snapshot.running).toBeUndefined();
    room.now += 1_000;
    room.lookAgain();
    expect(room.snapshot.running?.action).toBe('finish');
  });

  it('fires for the operation of an event that has ended the one before it, and has stayed (S4.3, S4.8)', () => {
    const room = new Puppet({
      ...Room,
      events: { ...Room.events, repaint: { in: 'Waiting', interrupts: 'cancel' } },
      actions: { ...Room.actions, repaint: { on: 'repaint', in: 'Waiting' } },
    });
    room.snapshot = waiting().snapshot;
    room.raise('repaint');
    room.end();
    expect(room.snapshot.awaiting).toEqual(['repaint-id']);
    room.report(report('a', 3));
    room.report(report('b', 3));
    expect(room.snapshot.running?.action).toBe('finish');
    expect(room.snapshot.engagements).toMatchObject([{ operation: 'repaint-id' }]);
  });

  it('goes on for the operation that rests here when an event of another one comes between (S4.8)', () => {
    const room = waiting();
    room.raise('boxLost');
    room.taken();
    room.throws('oops');
    expect(room.snapshot.awaiting).toEqual(['furnish-id', 'boxLost-id']);
    room.taken();
    room.report(report('a', 3));
    room.report(report('b', 3));
    expect(room.snapshot.engagements[0]).toMatchObject({ event: 'boxesPlaced', operation: 'furnish-id' });
    room.taken();
    room.end('Ready');
    const told = room.taken().filter(({ kind }) => kind === 'tell');
    expect(told).toMatchObject([
      { operation: 'furnish-id', message: { kind: 'ended', outcome: { state: 'Ready', waiting: false } } },
      { operation: 'boxLost-id', message: { kind: 'moved', outcome: { state: 'Ready', waiting: false } } },
    ]);
    expect(room.snapshot.awaiting).toEqual([]);
  });

  it('counts the successors of the operations for which it rests, or of its whole life (S4.3)', () => {
    const successors = ['op', 'other', 'elsewhen'].map((operation) => ({ ...placed, key: operation, operation }));
    const { snapshot } = new Puppet(Room);
    const keys = (among?: 'operation' | 'life', more: Partial<Snapshot> = {}) =>
      counted({ ...snapshot, successors, ...more }, among).map(({ key }) => key);
    const operation = { id: 'op', open: false, position: '1' };
    expect(keys()).toEqual([]);
    expect(keys(undefined, { operation })).toEqual(['op']);
    expect(keys('operation', { operation, awaiting: ['other'] })).toEqual(['op', 'other']);
    expect(keys('life')).toEqual(['op', 'other', 'elsewhen']);
  });

  it('belongs to the operation that rests here, that goes on here, or whose report sets it off (S4.3, S4.5)', () => {
    const { snapshot } = new Puppet(Room);
    const when = all({ of: Box, in: 'Placed' });
    const lifelong = { ...Room, subscriptions: { placed: { when, raise: 'boxesPlaced', among: 'life' as const } } };
    const waits = { ...snapshot, state: 'Waiting', successors: [placed] };
    const due = (more: Partial<Snapshot>) => dueSubscription(lifelong, { ...waits, ...more })?.request;
    const open = { id: 'mine', open: true, position: '1' };
    const judgements = [
      { id: 'i', operations: [] },
      { id: 'j', operations: ['theirs'] },
    ];
    const id = 'Room/k#life-1/0/placed';
    expect(due({})).toStrictEqual({ id, event: 'boxesPlaced' });
    expect(due({ judgements })).toStrictEqual({ id, event: 'boxesPlaced', operation: 'theirs' });
    expect(due({ judgements, operation: { ...open, open: false } })).toMatchObject({ operation: 'theirs' });
    expect(due({ judgements, operation: open })).toMatchObject({ operation: 'mine' });
    expect(due({ judgements, operation: open, awaiting: ['first', 'second'] })).toMatchObject({ operation: 'first' });
    expect(due({ used: ['placed'] })).toBeUndefined();
  });

  it('sees a failed successor (S4.3)', () => {
    const room = waiting();
    room.report(report('a', 3, 'Lost'));
    expect(room.snapshot.running?.action).toBe('fail');
  });
});

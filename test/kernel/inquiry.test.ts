import { describe, expect, it } from 'vitest';
import { hear } from '../../src/kernel/turns/hear.js';
import { postpone } from '../../src/kernel/actions/postpone.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

/** Gives what a box answers to the question whether it knows of these engagements. */
function ask(box: Puppet, engagements: readonly string[], life?: string, operation = 'op') {
  box.taken();
  const inquiry = { kind: 'inquiry', operation, round: 7, engagements, judgements: [] } as const;
  box.apply(hear(Box, box.snapshot, { ...inquiry, ...(life !== undefined && { life }) }, box.now));
  return box.taken();
}

/** A box that is placed by one event, and for whose action another one waits. */
function placing(): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' }, { id: 'place', operation: 'op' });
  box.raise('relabel', { label: 'y' }, { id: 'relabel', operation: 'op' });
  return box;
}

describe('the answer to an inquiry', () => {
  it('is nothing while what is asked for is under way, waits, or has ended: that is told anyway (S4.4)', () => {
    const box = placing();
    expect(ask(box, ['place', 'relabel'], 'life-1')).toEqual([]);
    box.apply(postpone(box.snapshot, ['Box/k'], box.now));
    expect(ask(box, ['place', 'relabel'])).toEqual([]);
    const ended = placing();
    ended.throws('shelf_full');
    expect(ended.snapshot.engagements).toEqual([]);
    expect(ask(ended, ['place'])).toEqual([]);
  });

  it('is how it ended, where no operation follows it: one of an earlier life had the same request (S4.4, S2.5)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { id: 'op' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed', { properties: { label: 'x', place: 1 } });
    // The rest of the story is told by the operation that the automatic action has opened; this one needs none.
    box.raise('look', undefined, { id: 'again' });
    box.end('Placed');
    const [told, ...others] = ask(box, ['again'], undefined, 'again');
    expect(others).toEqual([]);
    const outcome = { state: 'Placed', version: box.snapshot.version };
    expect(told).toMatchObject({
      kind: 'tell',
      message: { kind: 'ended', engagement: 'again', event: 'look', outcome },
    });
    // Once it has but its fingerprint left, it is as if it had never been.
    const ledger = { ...box.snapshot.ledger, recent: box.snapshot.ledger.recent.filter(({ id }) => id !== 'again') };
    box.snapshot = { ...box.snapshot, ledger };
    expect(ask(box, ['again'], undefined, 'again')).toMatchObject([
      { message: { kind: 'unknown', engagements: ['again'] } },
    ]);
  });

  it('is who follows it, where that is another operation: the event was raised for that one first (S3.4, S4.2)', () => {
    const followed = (engagement: string) => ({
      kind: 'tell',
      operation: 'later',
      message: {
        ...{ kind: 'followed', participant: { type: 'Box', key: 'k', life: 'life-1' } },
        ...{ engagement, by: 'op' },
      },
    });
    const box = placing();
    expect(ask(box, ['place', 'relabel'], undefined, 'later')).toEqual([followed('place'), followed('relabel')]);
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed', { properties: { label: 'x', place: 1 } });
    expect(ask(box, ['place'], undefined, 'later')).toEqual([followed('place')]);
  });

  it('names what the entity has never heard of, so that the operation need not wait for it (S4.4)', () => {
    expect(ask(placing(), ['place', 'never-came'], 'life-1')).toEqual([
      {
        kind: 'tell',
        operation: 'op',
        message: {
          kind: 'unknown',
          participant: { type: 'Box', key: 'k', life: 'life-1' },
          round: 7,
          engagements: ['never-came'],
          judgements: [],
          anotherLife: false,
        },
      },
    ]);
  });

  it('says that the life which rested for its successors is over (S1.3, S4.4)', () => {
    expect(ask(placing(), [], 'life-0')).toMatchObject([{ message: { kind: 'unknown', anotherLife: true } }]);
  });

  it('names the judgements that it does not owe (S4.2, S4.4)', () => {
    const box = placing();
    box.snapshot = { ...box.snapshot, judgements: [{ id: 'owed', operations: ['op'] }] };
    const inquiry = { kind: 'inquiry', operation: 'op', round: 1, engagements: [] } as const;
    const unjudged = (...judgements: readonly string[]) => {
      box.taken();
      box.apply(hear(Box, box.snapshot, { ...inquiry, judgements }, box.now));
      return box.taken();
    };
    expect(unjudged('owed')).toEqual([]);
    expect(unjudged('owed', 'never')).toMatchObject([
      { message: { kind: 'unknown', engagements: [], judgements: ['never'], anotherLife: false } },
    ]);
  });
});

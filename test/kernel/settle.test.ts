import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/kernel/engagements/settle.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Room', key: 'r', life: 'room-life', judges: true };

/** The judgements that a box in the given life asks of its room when it has been placed. */
function judgementsOf(life: string): readonly string[] {
  const box = new Puppet(Box);
  box.snapshot = { ...box.snapshot, life };
  box.raise('place', { label: 'x' }, { operation: 'furnish', from });
  box.end('Placing');
  box.startAutomatic();
  box.end('Placed');
  return box.taken().flatMap((effect) => {
    const owed = effect.kind === 'send' && effect.message.kind === 'report' ? effect.message.judgement : undefined;
    return owed ? [owed.id] : [];
  });
}

describe('the end of an engagement', () => {
  it('asks for a judgement of its own, also when another life of the key came to the same version (S4.2, settle.2)', () => {
    const [first] = judgementsOf('life-1');
    const [second] = judgementsOf('life-2');
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
  });

  it('by rejection is judged by whoever raised the event, and the operation waits for that (S2.2, S4.2, settle.2)', () => {
    const box = new Puppet(Box);
    box.raise('relabel', { label: 'x' }, { operation: 'op', from });
    const outcome = { state: 'Absent', rejection: { code: 'not_valid', event: 'relabel' } };
    const [told, sent] = box.taken();
    expect(told).toMatchObject({ operation: 'op', message: { kind: 'ended', engagement: 'relabel-id', outcome } });
    expect(sent).toMatchObject({ to: { key: 'r' }, message: { ended: ['relabel-id'], outcome } });
    const judgement = sent?.kind === 'send' && sent.message.kind === 'report' ? sent.message.judgement : undefined;
    expect(judgement).toMatchObject({ operations: ['op'] });
    expect(told).toHaveProperty('message.judgements', [{ id: judgement!.id, by: 'Room/r' }]);

    box.raise('relabel', { label: 'x' }, { id: 'again', operation: 'op', from: { ...from, judges: false } });
    const [quiet, heard] = box.taken();
    expect(quiet).toHaveProperty('message.judgements', []);
    expect(heard).not.toHaveProperty('message.judgement');
  });

  it('asks for a judgement only those who judge, and tells the operation of each (S4.2, settle.2)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { operation: 'op', from });
    box.end('Placing');
    box.startAutomatic();
    const others = [{ ...from, key: 's', judges: false, operation: 'op' }];
    box.snapshot = { ...box.snapshot, watchers: [...box.snapshot.watchers, ...others] };
    box.taken();
    box.end('Placed');
    const judgement = 'Box/k#life-1@2>Room/r';
    expect(box.taken()).toMatchObject([
      { kind: 'tell', operation: 'op', message: { kind: 'ended', judgements: [{ id: judgement, by: 'Room/r' }] } },
      { to: { key: 'r' }, message: { judgement: { id: judgement, operations: ['op'] }, ended: ['place-id'] } },
      { to: { key: 's' }, message: { kind: 'report', ended: ['place-id'] } },
    ]);
    box.raise('look', undefined, { operation: 'op', from: others[0]! });
    box.taken();
    box.end('Placed');
    const quiet = box.taken().find((effect) => effect.kind === 'send' && effect.to.key === 's');
    expect(quiet).not.toHaveProperty('message.judgement');
  });

  it('by rejection says how the entity stands, and names the judgement by the request (S2.2)', () => {
    const box = new Puppet(Box);
    box.raise('relabel', { label: 'x' }, { operation: 'op', from });
    const [told] = box.taken();
    expect(told).toMatchObject({
      message: {
        ...{ participant: { type: 'Box', key: 'k', life: 'life-1' }, event: 'relabel' },
        outcome: { state: 'Absent', version: 0, health: 'normal', waiting: false },
        judgements: [{ id: 'Box/k!relabel-id', by: 'Room/r' }],
      },
    });
  });

  it('counts the operation as open while it rests for its successors, or a subscription is due (S4.2)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: [] });
    room.end('Furnishing');
    room.startAutomatic();
    room.end('Waiting');
    expect(room.snapshot).toMatchObject({ operation: { id: 'furnish-id', open: true }, awaiting: ['furnish-id'] });
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    expect(box.snapshot).toMatchObject({ operation: { id: 'place-id', open: false }, awaiting: [] });
  });

  it('tells a watcher that it rests for others, where the operation of the watcher is not among those (S4.2)', () => {
    const room = new Puppet(Room);
    room.snapshot = {
      ...room.snapshot,
      watchers: [
        { ...from, operation: 'furnish-id' },
        { ...from, key: 's', operation: 'before' },
      ],
    };
    room.raise('furnish', { boxes: [] });
    room.end('Furnishing');
    room.startAutomatic();
    room.taken();
    room.end('Waiting');
    const reports = room.taken().flatMap((effect) => (effect.kind === 'send' ? [effect.message] : []));
    expect(reports).toMatchObject([
      { outcome: { waiting: true } },
      { outcome: { waiting: true }, restsForOthers: true },
    ]);
    expect(reports[0]).not.toHaveProperty('restsForOthers');
  });

  it('says of one that is deleted that its workflow ends, and of no other (S1.3)', () => {
    const { snapshot } = new Puppet(Box);
    const stands = { version: 0, health: 'normal', waiting: false };
    expect(outcomeOf(Box, snapshot)).toStrictEqual({ ...stands, state: 'Absent' });
    expect(outcomeOf(Box, { ...snapshot, state: 'Deleted' })).toStrictEqual({
      ...stands,
      state: 'Deleted',
      closed: true,
    });
    expect(outcomeOf(Box, { ...snapshot, state: 'Placing', exhausted: true })).toMatchObject({ health: 'error' });
    expect(outcomeOf(Room, { ...snapshot, state: 'Waiting' })).toMatchObject({ waiting: true });
  });

  it('opens the operation of an event that settles at once where a watcher has to judge it (S4.2)', () => {
    const opens = (judges: boolean) => {
      const box = new Puppet(Box);
      box.snapshot = { ...box.snapshot, state: 'Placed', watchers: [{ ...from, judges, operation: 'op' }] };
      box.raise('relabel', { label: 'x' });
      box.end();
      return box.taken().map(({ kind }) => kind);
    };
    expect(opens(true)).toEqual(['open', 'tell', 'send']);
    expect(opens(false)).toEqual(['send']);
  });
});

import { describe, expect, it } from 'vitest';
import { undelivered } from '../../src/kernel/successors/undelivered.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Room', key: 'r', life: 'room-life', judges: true };

describe('a message that finds nobody', () => {
  it('lets a watcher that is gone judge nothing any more, and no operation wait for it (S4.2, S4.4)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { operation: 'op', from });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    box.raise('look', undefined, { id: 'other', operation: 'op', from: { ...from, key: 's' } });
    const [report] = box.taken().flatMap((effect) => {
      const sent = effect.kind === 'send' && effect.message.kind === 'report' ? effect.message : undefined;
      return sent?.judgement ? [sent] : [];
    });
    const others = box.snapshot.watchers.filter(({ key }) => key !== 'r');
    box.apply(undelivered(Box, box.snapshot, { type: 'Room', key: 'r' }, report!, box.now));
    expect(box.snapshot.watchers).toEqual(others);
    expect(box.taken()).toEqual([
      { kind: 'tell', operation: 'op', message: { kind: 'judged', judgements: [report!.judgement!.id], caused: [] } },
    ]);
  });

  it('ends as rejected where it was an event, which the successor shows and the operation hears of (S2.2, S3.3)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a', 'b'] });
    room.end('Furnishing');
    room.startAutomatic();
    const raises = ['a', 'b'].map((key) => ({
      to: { type: 'Box', key },
      creates: false,
      request: { id: `relabel-${key}`, event: 'relabel', operation: 'furnish-id' },
      judges: true,
    }));
    room.end('Waiting', { raises });
    room.taken();
    const { request } = raises[0]!;
    room.apply(
      undelivered(Room, room.snapshot, { type: 'Box', key: 'a' }, { kind: 'raise', key: 'a', request }, room.now),
    );
    const shown = room.snapshot.successors.map(({ key, event, outcome }) => [key, event, outcome?.rejection?.code]);
    expect(shown).toEqual([
      ['a', 'rejected', 'absent'],
      ['b', 'pending', undefined],
    ]);
    expect(room.taken()).toMatchObject([
      {
        kind: 'tell',
        operation: 'furnish-id',
        message: {
          kind: 'ended',
          engagement: 'relabel-a',
          participant: { type: 'Box', key: 'a' },
          outcome: { rejection: { code: 'absent', entity: 'Box/a', event: 'relabel' } },
          caused: [],
          judgements: [{ by: 'Room/k' }],
        },
      },
      { kind: 'tell', message: { kind: 'judged' } },
    ]);
  });
});

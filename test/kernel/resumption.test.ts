import { describe, expect, it } from 'vitest';
import { resumptionOf } from '../../src/kernel/index.js';
import { Box, Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

describe('what goes on of an entity that waits (S5.1)', () => {
  it('is each event that has not ended, and each operation for which it rests for its successors', () => {
    const room = new Puppet(Room);
    expect(resumptionOf(room.snapshot, 'first')).toBeUndefined();
    room.raise('furnish', { boxes: [] });
    room.end('Furnishing');
    const entity = { type: 'Room', key: room.snapshot.key, life: 'first' };
    const furnishing = { operation: 'furnish-id', event: 'furnish-id' };
    expect(resumptionOf(room.snapshot, 'first')).toEqual({ entity, goesOn: [furnishing] });
    room.startAutomatic();
    room.end('Waiting');
    expect(resumptionOf(room.snapshot, 'first')).toEqual({ entity, goesOn: [{ operation: 'furnish-id' }] });
    // An event of the operation for which it rests is not told twice.
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { operation: 'furnish-id' });
    const { engagements } = box.snapshot;
    expect(resumptionOf({ ...room.snapshot, engagements }, 'first')).toEqual({
      entity,
      goesOn: [{ operation: 'furnish-id', event: 'place-id' }],
    });
  });

  it('is nothing of an entity that has settled', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    expect(resumptionOf(box.snapshot, 'first')).toBeUndefined();
  });
});

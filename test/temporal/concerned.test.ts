import { describe, expect, it } from 'vitest';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import { concerned } from '../../src/temporal/keeper/concerned.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const room = { type: 'Room', key: 'k', life: 'life-room' };
const from = { ...room, judges: true };

const raise = (by: typeof from | undefined): EntityMessage => ({
  kind: 'raise',
  key: 'k',
  request: { id: 'r', event: 'relabel', ...(by && { from: by }) },
});

describe('whom the end of a run concerns (S4.4)', () => {
  it('is who has created it, and who has raised an event on it, each life once', () => {
    const creation = { kind: 'create', key: 'k', request: { id: 'c', event: 'place', from } } as const;
    const other = { ...from, key: 'other' };
    expect(concerned(creation, [raise(from), raise(other), raise(undefined)])).toEqual([
      room,
      { ...room, key: 'other' },
    ]);
    expect(concerned({ kind: 'create', key: 'k' }, [])).toEqual([]);
    expect(concerned(undefined, [])).toEqual([]);
  });

  it('is who is in the snapshot with which it goes on', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { from });
    expect(concerned({ kind: 'continue', snapshot: box.snapshot, at: 0 }, [])).toEqual([room]);
  });

  it('is whom it has reserved in its course', () => {
    const view = { kind: 'view', from: { type: 'Account', key: 'a' }, toLife: 'life-1', wait: 'w' } as const;
    const granted = { fence: 1, until: 9, life: 'life-a' };
    expect(concerned(undefined, [view, { ...view, granted }])).toEqual([{ type: 'Account', key: 'a', life: 'life-a' }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { Puppet } from '../support/entities.js';
import { placingBox } from '../support/placing-box.js';

/** A box that is placed, while events come that together are as large as a run may take over. */
function besieged(): Puppet {
  const box = placingBox();
  for (let number = 0; number < 5; number++) {
    const answer = box.raise('relabel', { label: 'x'.repeat(100_000) }, { id: `large-${number}` });
    expect(answer.status).toBe('waiting');
  }
  return box;
}

const relabel = (box: Puppet, request: Partial<RaiseRequest>) =>
  box.raise('relabel', { label: 'y'.repeat(100_000) }, request);

describe('events that wait', () => {
  it('are as many as the next run takes over; others are told to come again, and nothing is left of them (Q1, full-queue.1)', () => {
    const box = besieged();
    const before = box.snapshot;
    expect(relabel(box, { id: 'late' })).toMatchObject({
      status: 'rejected',
      rejection: { code: 'try_again', message: expect.stringMatching(/^5 events wait for Box\/k, the maximum /) },
    });
    expect(box.snapshot).toEqual(before);
    expect(box.raise('relabel', { label: 'small' }, { id: 'small' }).status).toBe('waiting');
    box.end('Placed');
    box.admitWaiting();
    expect(relabel(box, { id: 'late' }).status).toBe('waiting');
  });

  it('may be those of another entity, however many wait (full-queue.1)', () => {
    const box = besieged();
    const from = { type: 'Room', key: 'r', life: 'room', judges: false };
    expect(relabel(box, { id: 'of-a-room', operation: 'op', from }).status).toBe('waiting');
  });
});

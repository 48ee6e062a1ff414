import { describe, expect, it } from 'vitest';
import { admit } from '../../src/kernel/turns/admit.js';
import { hear } from '../../src/kernel/turns/hear.js';
import { isWithdrawn } from '../../src/kernel/successors/withdraw.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import { Box } from '../entities/box.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';
import { placingBox } from '../support/placing-box.js';

const from = { type: 'Worker', key: 'k', life: 'life-w', judges: false };
const awaited: RaiseRequest = { id: 'look-1', event: 'look', operation: 'op', from, awaited: 'wait-1' };

/** A box at work, for which the event of a worker waits. */
function busy(): Puppet {
  const box = placingBox();
  box.raise('look', undefined, awaited);
  expect(box.snapshot.waiting).toHaveLength(1);
  box.taken();
  return box;
}

function takeBack(puppet: Puppet, more: { life?: string; request?: string } = {}): void {
  const { life = 'life-w', request = 'look-1' } = more;
  const by = { type: 'Worker', key: 'k', life };
  puppet.apply(hear(puppet.entity, puppet.snapshot, { kind: 'withdraw', from: by, request }, puppet.now));
}

describe('an event that is taken back', () => {
  it('does not begin any more, and its operation and raiser are told (S3.8, withdraw.1)', () => {
    const box = busy();
    takeBack(box);
    const outcome = { state: 'Placing', rejection: { code: 'withdrawn', entity: 'Box/k', event: 'look' } };
    expect(box.taken()).toMatchObject([
      { kind: 'tell', operation: 'op', message: { kind: 'ended', engagement: 'look-1', outcome, caused: [] } },
      { kind: 'send', to: { key: 'k' }, message: { kind: 'report', toLife: 'life-w', ended: ['look-1'], outcome } },
    ]);
    expect(box.records.at(-1)).toMatchObject({ kind: 'event' });
    expect(box.snapshot.waiting).toEqual([]);
    box.end('Placed');
    expect(box.next()).toEqual({ kind: 'rest' });
  });

  it('stays known, so that a copy of it does not run, and is raised again under another id (S2.5, withdraw.3)', () => {
    const box = busy();
    takeBack(box);
    box.end('Placed');
    box.taken();
    const { answer, snapshot, effects } = admit(Box, box.snapshot, awaited, box.now);
    expect(answer).toMatchObject({ status: 'rejected', rejection: { code: 'withdrawn' } });
    expect(snapshot).toBe(box.snapshot);
    const told = effects[0]?.kind === 'send' && effects[0].message.kind === 'report' ? effects[0].message : undefined;
    expect(told && isWithdrawn(told.outcome)).toBe(true);
    expect(box.raise('look', undefined, { ...awaited, id: 'look-1~2' })).toMatchObject({ status: 'accepted' });
  });

  it('goes on once it has begun, and whatever is taken back twice or by another changes nothing (S3.8, withdraw.2)', () => {
    const box = busy();
    const before = box.snapshot;
    takeBack(box, { life: 'another' });
    takeBack(box, { request: 'other' });
    expect(box.snapshot).toBe(before);
    takeBack(box);
    const after = box.snapshot;
    takeBack(box);
    expect(box.snapshot).toBe(after);
    box.end('Placed');
    box.raise('look', undefined, { ...awaited, id: 'begun' });
    const running = box.snapshot;
    box.taken();
    takeBack(box, { request: 'begun' });
    expect(box.snapshot).toBe(running);
    expect(box.taken()).toEqual([]);
  });

  it('leaves the events of others, also those that came from outside', () => {
    const box = busy();
    box.raise('relabel', { label: 'y' }, { id: 'outside' });
    takeBack(box, { request: 'outside' });
    takeBack(box);
    expect(box.snapshot.waiting).toMatchObject([{ id: 'outside' }]);
  });

  it('goes on when an action ends early for it (S3.2, withdraw.2)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.raise('stop', undefined, { id: 'halt', operation: 'op', from, awaited: 'wait-2' });
    expect(job.snapshot.running).toMatchObject({ aborted: true });
    takeBack(job, { request: 'halt' });
    expect(job.snapshot.waiting).toMatchObject([{ id: 'halt' }]);

    // One that comes later aborts nothing more.
    job.raise('stop', undefined, { id: 'halt-again', operation: 'op', from, awaited: 'wait-3' });
    takeBack(job, { request: 'halt-again' });
    expect(job.snapshot.waiting).toMatchObject([{ id: 'halt' }]);
  });
});

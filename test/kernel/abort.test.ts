import { describe, expect, it } from 'vitest';
import { makeAddress } from '../../src/kernel/callbacks/address.js';
import { abort } from '../../src/kernel/actions/commit.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

/** A job whose running action is ended by the event that does not wait for it. */
function stopped(job: Puppet): Puppet {
  expect(job.raise('stop').status).toBe('waiting');
  expect(job.snapshot.running?.aborted).toBe(true);
  job.taken();
  job.apply(abort(Job, job.snapshot, job.now));
  return job;
}

/** How the operation of an event was told that it ended. */
const ends = (job: Puppet, operation: string) =>
  job.taken().flatMap((effect) => {
    const told = effect.kind === 'tell' && effect.operation === operation ? effect.message : undefined;
    return told?.kind === 'ended' ? [told.outcome] : [];
  });

describe('an event that aborts', () => {
  it('ends the operation of the event whose action it aborts canceled, and nothing of that takes effect (S3.2, S4.7)', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { operation: 'op' });
    const { properties } = job.snapshot;
    stopped(job);
    expect(job.snapshot).toMatchObject({ state: 'Idle', properties, lastError: { code: 'aborted' } });
    expect(ends(job, 'op')).toMatchObject([{ state: 'Idle', canceled: true }]);
    job.admitWaiting();
    expect(job.snapshot.running).toMatchObject({ action: 'stop' });
  });

  it('cancels nothing but the event whose action it aborts (S3.2, S4.8)', () => {
    const job = new Puppet(Job);
    job.snapshot = { ...job.snapshot, state: 'Working' };
    job.raise('stop', undefined, { id: 'first', operation: 'op-1' });
    const [earlier] = job.snapshot.engagements;
    const { running: _, ...rest } = job.snapshot;
    job.snapshot = { ...rest, engagements: [{ ...earlier!, opened: true }], state: 'Idle' };
    job.raise('start', undefined, { id: 'second', operation: 'op-2' });
    stopped(job);
    const told = job.snapshot.ledger.recent.map(({ id, outcome }) => [id, outcome?.canceled ?? false]);
    expect(told).toEqual([
      ['first', false],
      ['second', true],
      ['stop-id', false],
    ]);
  });

  it('goes before the next attempt of the automatic action that it aborts (S2.4, S3.2)', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { operation: 'op' });
    job.end('Working');
    job.startAutomatic();
    const { version } = job.snapshot;
    stopped(job);
    expect(job.snapshot).toMatchObject({ state: 'Working', version: version + 1, lastError: { code: 'aborted' } });
    expect(job.next().kind).toBe('event');
    job.admitWaiting();
    job.end('Stopped');
    expect(ends(job, 'op')).toMatchObject([{ canceled: true }]);
  });

  it.each([
    ['the next run', { rollingOver: true }],
    ['its turn', { yielding: true }],
  ] as const)('goes first where no action runs and %s comes before it (S1.5a, S3.2)', (behind, held) => {
    const job = new Puppet(Job);
    job.snapshot = { ...job.snapshot, ...held };
    job.raise('start');
    expect(job.raise('stop', undefined, { id: 'aborting' })).toMatchObject({ status: 'waiting', behind });
    expect(job.snapshot.waiting[0]).toMatchObject({ id: 'aborting' });
    expect(job.snapshot.running).toBeUndefined();
  });

  it('ends no action where it has come to an address that is not open yet (S3.2, address.1)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    const { snapshot, made } = makeAddress(job.snapshot, { id: 'at', event: 'stop', withinMs: 10 }, job.now);
    job.snapshot = snapshot;
    const answer = job.raise('stop', undefined, { id: made.id, addressedAt: job.now });
    expect(answer).toMatchObject({ status: 'waiting', behind: 'start' });
    expect(job.snapshot.running?.aborted).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { mayRestart, postpone, resume } from '../../src/kernel/actions/postpone.js';
import { abandon } from '../../src/kernel/turns/abandon.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Batch', key: 'b', life: 'batch-life', judges: true };

/** A job whose action had closed a circle of waiting. */
function postponed(circle = ['Job/k', 'Job/z']): Puppet {
  const job = new Puppet(Job);
  job.raise('start', undefined, { operation: 'op', from });
  job.apply(postpone(job.snapshot, circle, job.now));
  job.taken();
  return job;
}

/** The owner of a reservation has moved the entity meanwhile. */
function moved(job: Puppet, state: string): void {
  job.snapshot = { ...job.snapshot, state, entry: job.snapshot.entry + 1 };
  job.apply(resume(Job, job.snapshot, job.now));
}

describe('an action that is put off', () => {
  it('runs again with the same parameters for the same operation, and the event is still under way (S3.6, postpone.1)', () => {
    const job = postponed();
    expect(job.snapshot.running).toBeUndefined();
    job.pass();
    job.apply(resume(Job, job.snapshot, job.now));
    expect(job.snapshot.running).toMatchObject({ action: 'start', kind: 'event', startedAt: job.now, restarts: 1 });
    expect(job.snapshot.engagements).toMatchObject([{ id: 'start-id', operation: 'op' }]);
    expect(job.snapshot.postponed).toBeUndefined();
  });

  it('comes at another time than the others of its circle, later each time, and not for ever (S3.6, S3.8, postpone.2)', () => {
    const delay = (job: Puppet) => job.pass() - 1_000;
    expect(delay(postponed(['Job/z', 'Job/k']))).toBeLessThan(delay(postponed(['Job/k', 'Job/a'])));
    const job = postponed();
    const waits: number[] = [];
    for (let last = job.now; ; last = job.now) {
      waits.push(job.pass() - last);
      job.apply(resume(Job, job.snapshot, job.now));
      if (!mayRestart(job.snapshot)) break;
      job.apply(postpone(job.snapshot, ['Job/k'], job.now));
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(new Set(waits).size).toBe(waits.length);
  });

  it('is validated anew where the entity was moved meanwhile: accepted with the action of that state (S2.3, postpone.3)', () => {
    const job = postponed();
    moved(job, 'Stopped');
    expect(job.snapshot.running).toMatchObject({ action: 'start' });
    expect(job.snapshot.engagements).toMatchObject([{ id: 'start-id' }]);
    expect(job.snapshot.operation).toMatchObject({ id: 'op', open: true });
  });

  it('is rejected where it is valid no more, and its operation and whoever raised it are told (S2.2, S2.3, postpone.3)', () => {
    const job = postponed();
    moved(job, 'Working');
    expect(job.snapshot.running).toBeUndefined();
    expect(job.snapshot.engagements).toEqual([]);
    const outcome = { rejection: { code: 'not_valid', event: 'start' } };
    expect(job.taken()).toMatchObject([
      {
        kind: 'tell',
        operation: 'op',
        message: { kind: 'ended', engagement: 'start-id', outcome, judgements: [{ by: 'Batch/b' }] },
      },
      { kind: 'send', to: { key: 'b' }, message: { kind: 'report', ended: ['start-id'], outcome, judgement: {} } },
    ]);
  });

  it('is not run again where it was automatic and the entity was moved: the new state has its own (S1.4, postpone.3)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.apply(postpone(job.snapshot, ['Job/k'], job.now));
    moved(job, 'Stopped');
    expect(job.snapshot.running).toBeUndefined();
    expect(job.snapshot.engagements).toMatchObject([{ id: 'start-id' }]);
  });

  it('runs again where it was automatic, or where nobody watches the event that is rejected by now (S3.6, postpone.3)', () => {
    const automatic = new Puppet(Job);
    automatic.raise('start');
    automatic.end('Working');
    automatic.startAutomatic();
    automatic.apply(postpone(automatic.snapshot, ['Job/k'], automatic.now));
    automatic.pass();
    automatic.apply(resume(Job, automatic.snapshot, automatic.now));
    expect(automatic.snapshot.running).toMatchObject({ action: 'work', kind: 'automatic', restarts: 1 });
    const alone = new Puppet(Job);
    alone.raise('start', undefined, { operation: 'op' });
    alone.apply(postpone(alone.snapshot, ['Job/k'], alone.now));
    alone.taken();
    moved(alone, 'Working');
    expect(alone.taken()).toMatchObject([{ kind: 'tell', operation: 'op', message: { engagement: 'start-id' } }]);
  });

  it('may run again five times (postpone.2)', () => {
    const job = postponed();
    const restarts = (count: number) => ({
      ...job.snapshot,
      running: { ...job.snapshot.postponed!.running, restarts: count },
    });
    expect([mayRestart(restarts(4)), mayRestart(restarts(5))]).toEqual([true, false]);
  });

  it('is ended by an event that aborts, which does not wait for it to run again (S3.2)', () => {
    const job = postponed();
    job.raise('start', undefined, { id: 'behind' });
    expect(allowedEvents(Job, job.snapshot)).toMatchObject([
      { event: 'start', behind: 'start' },
      { event: 'stop', behind: 'the abort of start' },
    ]);
    const answer = job.raise('stop', undefined, { id: 'aborting', operation: 'other' });
    expect(answer).toMatchObject({ status: 'waiting', behind: 'the abort of start' });
    expect(job.next().kind).toBe('abandon');
    job.apply(abandon(Job, job.snapshot, job.now));
    expect(job.snapshot).toMatchObject({ state: 'Idle', lastError: { code: 'aborted' } });
    expect(job.snapshot.postponed).toBeUndefined();
    const told = job.taken().flatMap((effect) => (effect.kind === 'tell' && effect.operation === 'op' ? [effect] : []));
    expect(told).toMatchObject([{ message: { kind: 'ended', engagement: 'start-id', outcome: { canceled: true } } }]);
    expect(job.next().kind).toBe('event');
    job.admitWaiting();
    expect(job.snapshot.running).toMatchObject({ action: 'stop' });
  });

  it('is ended by an event that aborts where it was automatic, and where a reservation was in the way first (S3.2)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.apply(postpone(job.snapshot, ['Job/k'], job.now));
    const owner = { type: 'Batch', key: 'b', life: 'batch-life' };
    const { reservation: _, ...free } = job.snapshot;
    const reservation = { owner, wait: 'w', fence: 1, until: job.now + 500, since: job.now, looks: 0 };
    job.snapshot = { ...job.snapshot, reservation } as never;
    expect(job.raise('stop')).toMatchObject({ status: 'waiting', behind: 'the reservation by Batch/b' });
    expect(job.next().kind).not.toBe('abandon');
    job.snapshot = { ...free, waiting: job.snapshot.waiting, ledger: job.snapshot.ledger };
    expect(job.next().kind).toBe('abandon');
    job.apply(abandon(Job, job.snapshot, job.now));
    expect(job.snapshot).toMatchObject({ state: 'Working', lastError: { code: 'aborted' } });
    job.admitWaiting();
    expect(job.snapshot.running).toMatchObject({ action: 'stop' });
  });

  it('is not ended by an event that aborts elsewhere, or is not valid (S2.2, S3.2)', () => {
    const job = new Puppet(Job);
    job.snapshot = { ...job.snapshot, state: 'Stopped' };
    job.raise('start');
    job.apply(postpone(job.snapshot, ['Job/k'], job.now));
    job.raise('stop');
    expect(job.next()).toMatchObject({ kind: 'rest' });
  });
});

import { describe, expect, it } from 'vitest';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Batch', key: 'b', life: 'batch-life', judges: true };

/** A job that is under way for one operation, rests for another one, and hears an event of a third. */
function interrupted(request = { id: 'halt', operation: 'third' }, event = 'stop'): Puppet {
  const job = new Puppet(Job);
  job.raise('start', undefined, { id: 'begin', operation: 'first' });
  job.end('Working');
  job.snapshot = { ...job.snapshot, awaiting: ['second', 'third'] };
  job.taken();
  job.raise(event, undefined, request);
  return job;
}

const told = (job: Puppet) =>
  job.taken().flatMap((effect) => (effect.kind === 'tell' ? [{ to: effect.operation, ...effect.message }] : []));

describe('an event of another operation', () => {
  it('that takes the place of what is under way ends it canceled, and each operation is told who came (S4.8)', () => {
    const job = interrupted();
    expect(told(job)).toMatchObject([
      { to: 'second', kind: 'interrupted', by: 'third', outcome: { canceled: true } },
      { to: 'first', kind: 'interrupted', by: 'third', outcome: { canceled: true } },
      { to: 'first', kind: 'ended', engagement: 'begin', outcome: { canceled: true } },
    ]);
    expect(job.snapshot.engagements.map(({ id }) => id)).toEqual(['halt']);
    // Its own operation goes on to rest here.
    expect(job.snapshot.awaiting).toEqual(['third']);
    expect(job.snapshot.ledger.recent.find(({ id }) => id === 'begin')?.outcome).toMatchObject({ canceled: true });
  });

  it('is no interruption when it belongs to the operation that is under way (S4.8)', () => {
    const job = interrupted({ id: 'halt', operation: 'first' });
    expect(told(job).filter(({ to }) => to === 'first')).toEqual([]);
    expect(job.snapshot.engagements.map(({ id }) => id)).toEqual(['begin', 'halt']);
  });

  it('that takes no place is told to the others, which go on (S4.8)', () => {
    const { stop } = Job.events;
    const { interrupts: _, ...polite } = stop;
    const job = new Puppet({ ...Job, events: { ...Job.events, stop: polite } });
    job.raise('start', undefined, { id: 'begin', operation: 'first' });
    job.end('Working');
    // The automatic action has failed once, so the operation has a workflow of its own.
    job.startAutomatic();
    job.throws('busy');
    job.taken();
    job.raise('stop', undefined, { id: 'halt', operation: 'third' });
    expect(told(job)).toEqual([
      { to: 'first', kind: 'interrupted', participant: expect.anything() as unknown, by: 'third' },
    ]);
    expect(job.snapshot.engagements.map(({ id }) => id)).toEqual(['begin', 'halt']);
  });

  it('ends what has no workflow yet in the records only, and what has one with all that it caused (S4.8, S5.1)', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { id: 'begin', operation: 'first', awaited: 'w', from: { ...from, key: 'first' } });
    job.end('Working');
    const [begun] = job.snapshot.engagements;
    const caused = [{ engagement: 'child', on: 'Job/c' }];
    const quiet = { ...begun!, id: 'quiet', operation: 'quiet', opened: false };
    job.snapshot = { ...job.snapshot, engagements: [{ ...begun!, caused, restarts: 2 }, quiet] };
    job.taken();
    job.records.splice(0);
    job.raise('stop', undefined, { id: 'halt', operation: 'third' });
    const ending = { state: 'Working', version: 1, health: 'normal', waiting: false };
    const outcome = { ...ending, canceled: true, interrupted: true };
    const participant = { type: 'Job', key: 'k', life: 'life-1' };
    expect(told(job)).toStrictEqual([
      { to: 'first', kind: 'interrupted', participant, by: 'third', outcome },
      {
        ...{
          to: 'first',
          kind: 'ended',
          participant,
          outcome,
          judgements: [],
          engagement: 'begin',
          event: 'start',
          caused,
        },
        ...{ awaiter: { type: 'Batch', key: 'first', life: 'batch-life' }, restarts: 2 },
      },
    ]);
    expect(job.records.map((record) => [record.kind, 'id' in record && record.id, 'endedAt' in record])).toEqual([
      ['event', 'begin', true],
      ['event', 'quiet', true],
      ['event', 'halt', false],
    ]);
    expect(job.records.map((record) => record.kind === 'event' && record.ends?.outcome)).toEqual([
      undefined,
      'canceled',
      undefined,
    ]);
    expect(job.snapshot.running).toMatchObject({ action: 'stop', replaces: ['first'] });
  });

  it('leaves out of the ends what it does not know (S4.8)', () => {
    const [, , ended] = told(interrupted());
    expect(ended).not.toHaveProperty('awaiter');
    expect(ended).not.toHaveProperty('restarts');
  });
});

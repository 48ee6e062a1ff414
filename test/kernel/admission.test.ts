import { describe, expect, it } from 'vitest';
import { decide } from '../../src/kernel/rules/decide.js';
import { abort } from '../../src/kernel/actions/commit.js';
import { Box } from '../entities/box.js';
import type { Report } from '../../src/protocol/report.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const code = (answer: { status: string }) =>
  'rejection' in answer ? (answer.rejection as { code: string }).code : answer.status;

describe('admission', () => {
  it('starts the action in the same step as it validates the event (S2.3, admit.1)', () => {
    const box = new Puppet(Box);
    expect(box.raise('place', { label: 'x' })).toEqual({ status: 'accepted', operation: 'place-id' });
    expect(box.snapshot.running).toMatchObject({ action: 'begin', kind: 'event', params: { label: 'x' } });
  });

  it('rejects with the declared error, naming the operation and what is valid now, and changes nothing (S2.2, admit.4)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    const before = box.snapshot;
    const answer = box.raise('place', { label: 'y' }, { id: 'second' });
    expect(answer).toMatchObject({
      status: 'rejected',
      rejection: { code: 'already_in_progress', operation: 'place-id', state: 'Placing', validNow: [] },
    });
    expect(box.snapshot).toBe(before);
  });

  it('rejects what the declaration says nothing about with what is valid now (S2.2)', () => {
    const box = new Puppet(Box);
    expect(box.raise('remove')).toMatchObject({ rejection: { code: 'not_valid', validNow: ['place'] } });
    expect(code(box.raise('paint'))).toBe('unknown_event');
    expect(code(box.raise('toString'))).toBe('unknown_event');
  });

  it('rejects parameters with path and reason (S1.1)', () => {
    const box = new Puppet(Box);
    const answer = box.raise('place', { label: '' });
    expect(answer).toMatchObject({
      rejection: { code: 'invalid_parameters', issues: [{ path: 'label', message: expect.stringContaining('>=1') }] },
    });
    expect(box.snapshot.version).toBe(0);
  });

  it('takes any way of saying nothing where an event has no parameters, and refuses what would be lost (S2.1)', () => {
    for (const nothing of [undefined, null, {}]) {
      const job = new Puppet(Job);
      expect(code(job.raise('start', nothing))).toBe('accepted');
    }
    for (const something of [{ on: 'x' }, 'x', 0, ['x']]) {
      const job = new Puppet(Job);
      const answer = job.raise('start', something);
      expect(answer).toMatchObject({ rejection: { code: 'invalid_parameters', issues: [{ path: '' }] } });
    }
  });

  it('says of an event that waits that it waits, however often it is asked (S2.3, S2.5, admit.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    const behind = box.raise('relabel', { label: 'y' });
    expect(behind).toEqual({ status: 'waiting', operation: 'relabel-id', behind: 'put' });
    expect(box.raise('relabel', { label: 'y' })).toEqual({ ...behind, repeated: true });
    expect(box.raise('place', { label: 'x' }).status).toBe('accepted');
    expect(box.snapshot.waiting).toHaveLength(1);
  });

  it('lets an event wait while an action runs, and validates it in the state that the action left (S2.3, admit.2)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    expect(box.raise('relabel', { label: 'y' })).toMatchObject({ status: 'waiting', behind: 'put' });
    box.end('Placed');
    box.admitWaiting();
    expect(box.snapshot.running).toMatchObject({ action: 'relabel', params: { label: 'y' } });
  });

  it('tells the operation when an event that waited is rejected (S2.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.raise('relabel', { label: 'y' }, { id: 'second' });
    box.throws('no room', true);
    box.taken();
    box.admitWaiting();
    expect(box.snapshot.running).toBeUndefined();
    expect(box.taken()).toMatchObject([
      {
        kind: 'tell',
        operation: 'second',
        message: { kind: 'ended', outcome: { rejection: { code: 'not_valid' } } },
      },
    ]);
  });

  it('gives the first outcome for the same request id and runs nothing (S2.5, admit.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    expect(box.raise('place', { label: 'x' })).toEqual({ status: 'accepted', operation: 'place-id', repeated: true });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    const version = box.snapshot.version;
    expect(box.raise('place', { label: 'x' })).toMatchObject({ status: 'accepted', outcome: { state: 'Placed' } });
    expect(box.snapshot.version).toBe(version);
    expect(box.snapshot.running).toBeUndefined();
  });

  it('refuses the same request id with other content (S2.5, admit.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    expect(code(box.raise('place', { label: 'other' }))).toBe('request_conflict');
  });

  it('stays with the rejection of another entity’s event, though the event would be valid by now (S2.2, S2.5)', () => {
    const from = { type: 'Room', key: 'k', life: 'life-room', judges: true };
    const raise = (box: Puppet) => box.raise('relabel', { label: 'y' }, { from, operation: 'furnish' });
    for (const waits of [false, true]) {
      const box = new Puppet(Box);
      if (!waits) expect(code(raise(box))).toBe('not_valid');
      box.raise('place', { label: 'x' });
      box.end('Placing');
      box.startAutomatic();
      if (waits) {
        expect(code(raise(box))).toBe('waiting');
        box.throws('no room');
        box.admitWaiting();
        box.pass();
        box.startAutomatic();
      }
      box.end('Placed');
      const { version } = box.snapshot;
      const first = box.taken().find(({ kind }) => kind === 'send');
      expect(code(raise(box))).toBe('not_valid');
      expect(box.snapshot.version).toBe(version);
      expect(box.snapshot.running).toBeUndefined();
      // It hears the same again; what is judged is judged once.
      const { judgement: _, ...report } = (first as { message: Report }).message;
      expect(box.taken()).toEqual([{ ...first, message: { ...report, again: true, operation: 'furnish' } }]);
    }
  });

  it('rejects everything once the entity is deleted (S1.3)', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    box.raise('remove');
    box.end('Deleted');
    expect(code(box.raise('relabel', { label: 'y' }))).toBe('gone');
    expect(decide(Box, box.snapshot, { event: 'created' })).toMatchObject({ rejection: { code: 'gone' } });
  });
});

describe('an event that aborts', () => {
  it('goes before those that have waited for the action, so that it waits for none of theirs (S3.2)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.raise('start', undefined, { id: 'again' });
    job.raise('stop');
    expect(job.snapshot.running?.aborted).toBe(true);
    expect(job.snapshot.waiting.map(({ event }) => event)).toEqual(['stop', 'start']);
  });

  it('leaves another attempt of the automatic action that it aborts, in the same entry (S3.2, S3.4)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.raise('stop');
    const { entry, attempt } = job.snapshot;
    job.apply(abort(Job, job.snapshot, job.now));
    expect(job.snapshot).toMatchObject({ entry, attempt, nextAttemptAt: job.now });
    expect(job.records.at(-1)).toMatchObject({ kind: 'transition', outcome: 'aborted' });
  });
});

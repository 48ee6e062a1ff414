import { describe, expect, it } from 'vitest';
import { hear } from '../../src/kernel/turns/hear.js';
import { takeStep } from '../../src/kernel/turns/next.js';
import { undelivered } from '../../src/kernel/successors/undelivered.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import { Account } from '../entities/bank.js';
import { Box, Room } from '../entities/box.js';
import { Cellar } from '../entities/vault.js';
import { Job } from '../entities/job.js';
import { Lease } from '../entities/lease.js';
import { eventResult } from '../../src/protocol/event-result.js';
import { Puppet } from '../support/entities.js';

const other = { type: 'Room', key: 'r', life: 'room-life' };
const outcome = { state: 'Placed', version: 1, health: 'normal', waiting: false } as const;
const reserve: EntityMessage = {
  kind: 'reserve',
  ...{ wait: 'w', from: other, operation: 'op', leaseMs: 1_000, hold: 'action', until: 9_000 },
};
const view: EntityMessage = { kind: 'view', from: other, toLife: 'life-1', wait: 'w' };

function told(puppet: Puppet, message: EntityMessage) {
  puppet.taken();
  puppet.apply(hear(puppet.entity, puppet.snapshot, message, puppet.now));
  return puppet.taken();
}

describe('what an entity hears for its running action only (S3.8)', () => {
  it.each<EntityMessage>([{ kind: 'awaited', toLife: 'life-1', engagement: 'e', outcome }, view])(
    'changes nothing: %j',
    (message) => {
      const box = new Puppet(Box);
      const { snapshot } = box;
      expect(told(box, message)).toEqual([]);
      expect(box.snapshot).toBe(snapshot);
    },
  );
});

describe('what an entity hears of its successors, and from those who watch it (S4.3, S4.4)', () => {
  it('is an answer to a look, a stranger, or an acceptance', () => {
    const box = new Puppet(Box);
    const from = { ...other, judges: true };
    expect(told(box, { kind: 'look', from, request: 'never' })).toMatchObject([{ message: { kind: 'stranger' } }]);
    const successor = { type: 'Box', key: 'a', operation: 'op', position: '1.1', request: 'r', version: 0 } as const;
    const room = new Puppet(Room);
    room.snapshot = { ...room.snapshot, successors: [{ ...successor, event: 'pending' }] };
    const about = { from: { type: 'Box', key: 'a', life: 'l' }, toLife: 'life-1', request: 'r' };
    told(room, { kind: 'accepted', ...about });
    expect(room.snapshot.successors).toMatchObject([{ event: 'accepted' }]);
    told(room, { kind: 'stranger', ...about });
    expect(room.snapshot.successors).toMatchObject([{ event: 'settled', outcome: { lost: true } }]);
  });
});

describe('what comes to nobody', () => {
  it.each<EntityMessage>([
    { kind: 'awaited', toLife: 'life-1', engagement: 'e', outcome },
    { kind: 'cancel', operation: 'op', engagement: 'e' },
    { kind: 'inquiry', operation: 'op', round: 1, engagements: [], judgements: [] },
    { kind: 'release', wait: 'w' },
    { kind: 'read', from: other, wait: 'w' },
    { kind: 'accepted', from: other, toLife: 'l', request: 'r' },
    { kind: 'stranger', from: other, toLife: 'l', request: 'r' },
    { kind: 'probe', initiator: other, wait: 'w', round: 0, path: [{ on: 'Room/r', kind: 'event', id: 'e' }] },
    reserve,
  ])('and is no loss here changes nothing: %j', (message) => {
    const { snapshot } = new Puppet(Box);
    expect(undelivered(Box, snapshot, other, message, 1_000)).toEqual({ snapshot, effects: [] });
  });

  it('ends the reservation of whoever is not there to hear of it (S3.6)', () => {
    const account = new Puppet(Account);
    told(account, reserve);
    account.apply(takeStep(Account, account.snapshot, 'reservation', account.now));
    expect(account.snapshot.reservation).toMatchObject({ wait: 'w' });
    account.apply(undelivered(Account, account.snapshot, other, view, account.now));
    expect(account.snapshot.reservation).toBeUndefined();
  });
});

describe('a step that comes next (S2.4, next.1)', () => {
  it('resumes, admits, raises, starts, looks and reacts, each as its kind says', () => {
    const job = new Puppet(Job);
    job.raise('start');
    const running = job.snapshot.running!;
    const { running: _, engagements, ...idle } = job.snapshot;
    job.snapshot = { ...idle, engagements: [], postponed: { running, at: 0, entry: 0, engagement: engagements[0]! } };
    expect(takeStep(Job, job.snapshot, 'resume', 9).snapshot.running).toMatchObject({ action: 'start', startedAt: 9 });

    const box = new Puppet(Box);
    box.snapshot = { ...box.snapshot, waiting: [{ id: 'w', event: 'place', params: { label: 'x' } }] };
    expect(takeStep(Box, box.snapshot, 'event', 9).snapshot.running).toMatchObject({ action: 'begin' });
    const placing = { ...box.snapshot, state: 'Placing', waiting: [], nextAttemptAt: 3, attempt: 1 };
    const automatic = takeStep(Box, placing, 'automatic', 9).snapshot;
    expect(automatic).toMatchObject({ attempt: 2, running: { action: 'put', kind: 'automatic', startedAt: 9 } });
    expect(automatic).not.toHaveProperty('nextAttemptAt');

    const lease = new Puppet(Lease);
    lease.raise('request');
    lease.end('Held');
    expect(takeStep(Lease, lease.snapshot, 'timer', 3_601_000).snapshot.running).toMatchObject({ action: 'inspect' });

    const room = new Puppet(Room);
    const placed = {
      type: 'Box',
      key: 'a',
      operation: 'op',
      position: '1.1',
      request: 'r',
      version: 1,
      event: 'settled',
      outcome,
    } as const;
    const waiting = {
      ...room.snapshot,
      state: 'Waiting',
      successors: [placed],
      operation: { id: 'op', open: true, position: '1' },
    };
    expect(takeStep(Room, waiting, 'subscriptions', 9).snapshot.running).toMatchObject({ action: 'finish' });
    expect(takeStep(Room, waiting, 'look', 9).snapshot.look).toEqual({ since: 9, count: 1 });
  });
});

describe('a request to cancel (S4.7)', () => {
  it('that was refused is refused again when it comes twice, though the event would be valid by then (S2.2)', () => {
    const job = new Puppet(Job);
    job.raise('start');
    job.end('Working');
    job.startAutomatic();
    job.end('Done');
    const cancel = { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Job/k' } as const;
    const refused = told(job, cancel);
    expect(refused).toMatchObject([{ message: { kind: 'ended', outcome: { rejection: { code: 'not_valid' } } } }]);
    job.raise('start', undefined, { id: 'again' });
    job.end('Working');
    told(job, cancel);
    expect(job.snapshot).toMatchObject({ state: 'Working', waiting: [] });
    expect(job.snapshot.engagements.map(({ id }) => id)).toEqual(['again']);
    expect(job.snapshot.running).toBeUndefined();
  });

  it('is answered by the declared event, for the engagement that the operation expects to end', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { operation: 'op' });
    job.end('Working');
    told(job, { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Job/k' });
    expect(job.snapshot.running).toMatchObject({ action: 'stop' });
    expect(job.snapshot.engagements.at(-1)).toMatchObject({ id: 'op/cancel/Job/k', event: 'stop', operation: 'op' });
  });

  it('that is honoured gives what it has ended the result canceled, by the record alone (S5.1, S5.5)', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { id: 'start-id', operation: 'op' });
    job.end('Working');
    told(job, { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Job/k' });
    job.end('Stopped');
    const ended = job.records.filter((record) => record.kind === 'event' && record.endedAt !== undefined);
    expect(ended.map((record) => record.kind === 'event' && [record.id, eventResult(record)])).toEqual([
      ['start-id', 'canceled'],
      ['op/cancel/Job/k', 'success'],
    ]);
  });

  it('is refused where the event is not valid, or none is declared, and the operation is told', () => {
    const ended = (code: string, event: string) => ({
      ...{ kind: 'tell', operation: 'op' },
      message: {
        kind: 'ended',
        engagement: 'c',
        event,
        outcome: { rejection: { code, event } },
        caused: [],
        judgements: [],
      },
    });
    const cancel = { kind: 'cancel', operation: 'op', engagement: 'c' } as const;
    const done = new Puppet(Job);
    done.snapshot = { ...done.snapshot, state: 'Done' };
    const { snapshot } = done;
    expect(told(done, cancel)).toMatchObject([ended('not_valid', 'stop')]);
    // It is remembered as refused, and changes nothing else.
    expect({ ...done.snapshot, ledger: snapshot.ledger }).toEqual(snapshot);
    const cellar = new Puppet(Cellar);
    expect(told(cellar, cancel)).toMatchObject([ended('not_cancelable', 'cancel')]);
    expect(cellar.records).toMatchObject([{ kind: 'event', id: 'c', event: 'cancel', operation: 'op' }]);
  });
});

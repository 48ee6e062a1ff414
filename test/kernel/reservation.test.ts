import { describe, expect, it } from 'vitest';
import { hear } from '../../src/kernel/turns/hear.js';
import { turnReservation } from '../../src/kernel/reservations/reservation.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { WaitedFor } from '../../src/protocol/probe.js';
import { Account } from '../entities/bank.js';
import { Puppet } from '../support/entities.js';

const owner = { type: 'Clerk', key: 'one', life: 'life-one' };
const from = { ...owner, judges: false };
const asks = (wait: string, by = owner): EntityMessage => ({
  kind: 'reserve',
  wait,
  from: by,
  operation: 'op',
  leaseMs: 1_000,
  hold: 'action',
  until: 100_000,
});

/** An open account that can be told messages. */
function account() {
  const puppet = new Puppet(Account);
  puppet.raise('open');
  puppet.end('Open');
  puppet.taken();
  const tell = (message: EntityMessage) => {
    puppet.apply(hear(Account, puppet.snapshot, message, puppet.now));
  };
  const turn = () => {
    expect(puppet.next().kind).toBe('reservation');
    puppet.apply(turnReservation(Account, puppet.snapshot, puppet.now));
  };
  const put = (request: Partial<RaiseRequest> = {}) => puppet.raise('put', { amount: 1 }, request);
  return { puppet, tell, turn, put };
}

describe('a reservation', () => {
  it('is granted when no action runs, after the events that came before (S3.6, reservation.1)', () => {
    const { puppet, tell, turn, put } = account();
    put({ id: 'running' });
    put({ id: 'before' });
    tell(asks('r'));
    put({ id: 'after' });
    puppet.end();
    expect(puppet.next().kind).toBe('event');
    puppet.admitWaiting();
    puppet.end();
    turn();
    expect(puppet.snapshot).toMatchObject({ reservation: { wait: 'r', fence: 1 }, waiting: [{ id: 'after' }] });
    expect(puppet.next()).toEqual({ kind: 'rest', until: puppet.now + 1_000 });
  });

  it('lets the events of its owner go before those of others, also when it ends first (S3.6)', () => {
    const { puppet, tell, turn, put } = account();
    tell(asks('r'));
    turn();
    expect(put({ id: 'other' })).toMatchObject({ status: 'waiting', behind: 'the reservation by Clerk/one' });
    const fence = { life: 'life-1', fence: 1 };
    expect(put({ id: 'own-1', from, fence, operation: 'op' }).status).toBe('accepted');
    expect(put({ id: 'own-2', from, fence, operation: 'op' }).status).toBe('waiting');
    tell({ kind: 'release', wait: 'r' });
    expect(puppet.snapshot.waiting.map(({ id }) => id)).toEqual(['own-2', 'other']);
  });

  it('lets an event wait however often it is raised, also while no action runs (S2.5, S3.6)', () => {
    const { tell, turn, put } = account();
    tell(asks('r'));
    turn();
    const first = put({ id: 'other' });
    expect(first.status).toBe('waiting');
    expect(put({ id: 'other' })).toEqual({ ...first, repeated: true });
  });

  it('that has ended keeps out what was raised under it (S3.6, reservation.3)', () => {
    const { puppet, tell, turn, put } = account();
    tell(asks('r'));
    turn();
    puppet.now += 1_000;
    const late = { from, operation: 'op', fence: { life: 'life-1', fence: 1 } };
    expect(put({ id: 'late', ...late })).toMatchObject({ rejection: { code: 'reservation_ended' } });
    turn();
    expect(puppet.snapshot.reservation).toBeUndefined();
    tell(asks('again'));
    turn();
    expect(puppet.snapshot.reservation).toMatchObject({ fence: 2 });
    expect(put({ id: 'later', ...late })).toMatchObject({ rejection: { code: 'reservation_ended' } });
    expect(put({ id: 'older', ...late, fence: { life: 'life-0', fence: 2 } })).toMatchObject({
      rejection: { code: 'reservation_ended' },
    });
  });

  it('is not disturbed by messages that come twice (S3.6)', () => {
    const { puppet, tell, turn } = account();
    const other = { ...owner, key: 'two' };
    tell(asks('r'));
    turn();
    tell(asks('r'));
    tell(asks('s', other));
    tell(asks('s', other));
    expect(puppet.snapshot.reservers.map(({ wait }) => wait)).toEqual(['s']);
    tell({ kind: 'release', wait: 'unknown' });
    expect(puppet.snapshot.reservation).toMatchObject({ wait: 'r' });
    tell({ kind: 'release', wait: 'r' });
    turn();
    tell({ kind: 'release', wait: 'r' });
    expect(puppet.snapshot.reservation).toMatchObject({ wait: 's', fence: 2 });
  });

  it('of what is deleted is answered with nothing (S1.3)', () => {
    const { puppet, tell, turn } = account();
    puppet.raise('close');
    tell(asks('r'));
    puppet.end('Closed');
    puppet.taken();
    turn();
    expect(puppet.taken()).toMatchObject([{ kind: 'send', message: { kind: 'view', wait: 'r' } }]);
    expect(puppet.next().kind).toBe('closed');
  });
});

describe('a probe', () => {
  it('goes no further than its longest path (S3.8, circle.2)', () => {
    const { puppet, tell, turn, put } = account();
    tell(asks('r'));
    turn();
    put({ id: 'other' });
    puppet.taken();
    const step: WaitedFor = { on: 'Account/k', kind: 'event', id: 'other' };
    const probe = (path: readonly WaitedFor[]): EntityMessage => ({
      ...{ kind: 'probe', initiator: owner, wait: 'w', round: 0 },
      path,
    });
    tell(probe([step]));
    const next: WaitedFor = { on: 'Clerk/one', kind: 'release', id: 'r' };
    expect(puppet.taken()).toMatchObject([{ to: { key: 'one' }, message: { kind: 'probe', path: [step, next] } }]);
    tell(probe(Array.from({ length: 100 }, () => step)));
    tell(probe([{ ...step, id: 'unknown' }]));
    expect(puppet.taken()).toEqual([]);
  });
});

describe('the lease of one that is reserved together with others', () => {
  it('runs from when all are, and never longer than it was granted for (S3.6, holding.1)', () => {
    const { puppet, tell, turn } = account();
    tell({ ...asks('w'), leaseMs: 60_000 } as EntityMessage);
    turn();
    puppet.now += 5_000;
    tell({ kind: 'lease', wait: 'another', leaseMs: 1_000 });
    expect(puppet.snapshot.reservation).toMatchObject({ until: puppet.now + 55_000 });
    tell({ kind: 'lease', wait: 'w', leaseMs: 1_000 });
    expect(puppet.snapshot.reservation).toMatchObject({ until: puppet.now + 1_000 });
    tell({ kind: 'lease', wait: 'w', leaseMs: 30_000 });
    expect(puppet.snapshot.reservation).toMatchObject({ until: puppet.now + 1_000 });
  });
});

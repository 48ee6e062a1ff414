import { describe, expect, it } from 'vitest';
import { hear } from '../../src/kernel/turns/hear.js';
import { lastWord, repeatedAnswer, reportAgain } from '../../src/kernel/engagements/repeat.js';
import { release, reservationDue, reserve, turnReservation } from '../../src/kernel/reservations/reservation.js';
import {
  enqueue,
  isHeldBack,
  isLeaseOver,
  nextWaiting,
  passes,
  reservationEnded,
  useReservation,
  waitsBehind,
} from '../../src/kernel/rules/reserved.js';
import { react } from '../../src/kernel/triggers/subscription.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { Reservation, Reserver } from '../../src/protocol/kept-reservation.js';
import type { Reserve } from '../../src/protocol/reservation.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Account } from '../entities/bank.js';
import { Vault } from '../entities/vault.js';
import { Puppet } from '../support/entities.js';

const NOW = 5_000;
const owner = { type: 'Clerk', key: 'one', life: 'l' };
const reservation: Reservation = {
  ...{ wait: 'held', owner, operation: 'op', fence: 3, until: 6_000, hold: 'action', used: false, since: 0, looks: 0 },
};
const reserver = (wait: string, more: Partial<Reserver> = {}): Reserver => ({
  ...{
    wait,
    from: { type: 'Clerk', key: wait, life: 'l' },
    operation: 'op',
    leaseMs: 500,
    hold: 'action',
    until: 9_000,
    askedAt: NOW,
  },
  ...more,
});
const ask = (wait: string, more: Partial<Reserve> = {}): Reserve => {
  const { askedAt: _, ...asked } = reserver(wait);
  return { kind: 'reserve', ...asked, ...more };
};
const running = { action: 'count', kind: 'automatic', startedAt: 1 } as const;
const postponed = { running: { ...running, action: 'put' }, at: 9, entry: 0 };
const account = (more: Partial<Snapshot> = {}): Snapshot => ({
  ...new Puppet(Account).snapshot,
  state: 'Open',
  ...more,
});
const mine: RaiseRequest = { id: 'mine', event: 'put', params: { amount: 1 }, from: { ...owner, judges: false } };
const theirs: RaiseRequest = { id: 'theirs', event: 'put', params: { amount: 2 } };
const other: RaiseRequest = { ...mine, id: 'other', from: { ...owner, life: 'another', judges: false } };

describe('a reservation whose lease has ended (S3.6)', () => {
  it('ends before the entity does anything else by itself, unless it is sealed', () => {
    const held = { ...reservation, used: true };
    expect(isLeaseOver(account({ reservation: held }), 5_999)).toBe(false);
    expect(isLeaseOver(account({ reservation: held }), 6_000)).toBe(true);
    expect(isLeaseOver(account(), 6_000)).toBe(false);
    const judgements = [{ id: 'j', operations: ['op'] }];
    const ended = account({ reservation: held, judgements });
    expect(react(Account, ended, 6_000)).toEqual({ snapshot: ended, effects: [] });
    expect(react(Account, ended, 5_999).snapshot.judgements).toEqual([]);
    const after = turnReservation(Account, ended, 6_000).snapshot;
    expect(after.reservation).toBeUndefined();
    expect(after.judgements).toEqual([]);
  });
});

describe('an event while the entity is reserved (S3.6, reservation.2)', () => {
  it('passes where nothing is reserved, or where it comes from the owner in the same life', () => {
    expect([mine, theirs].map((each) => passes(account(), each))).toEqual([true, true]);
    const reserved = account({ reservation });
    expect([mine, theirs, other].map((each) => passes(reserved, each))).toEqual([true, false, false]);
    expect(waitsBehind(reserved, theirs)).toBe('the reservation by Clerk/one');
    expect(waitsBehind(reserved, mine)).toBeUndefined();
    expect(waitsBehind(account({ reservation, running }), mine)).toBe('count');
    expect(waitsBehind(account({ postponed }), theirs)).toBe('put');
    expect(waitsBehind(account({ reservation, postponed }), mine)).toBeUndefined();
  });

  it('of the owner goes before those of others, in the order of coming', () => {
    const ids = (snapshot: Snapshot, request: RaiseRequest) => enqueue(snapshot, request).map(({ id }) => id);
    const waiting = [{ ...mine, id: 'earlier' }, theirs, { ...mine, id: 'later' }];
    expect(ids(account({ reservation, waiting }), mine)).toEqual(['earlier', 'mine', 'theirs', 'later']);
    expect(ids(account({ reservation, waiting }), other)).toEqual(['earlier', 'theirs', 'later', 'other']);
    expect(ids(account({ waiting }), mine)).toEqual(['earlier', 'theirs', 'later', 'mine']);
    expect(ids(account({ reservation, waiting: [{ ...mine, id: 'earlier' }] }), mine)).toEqual(['earlier', 'mine']);
  });

  it('is next when it need not wait, and none is before an action that is to run again', () => {
    const waiting = [theirs, mine];
    expect(nextWaiting(account({ waiting }))).toBe(theirs);
    expect(nextWaiting(account({ waiting, reservation }))).toBe(mine);
    expect(nextWaiting(account({ waiting, postponed }))).toBeUndefined();
    expect(nextWaiting(account({ waiting, postponed, reservation }))).toBe(mine);
  });

  it('makes the reservation used, and lets the entity go on by itself from then on', () => {
    const reserved = account({ reservation });
    expect(useReservation(reserved, theirs)).toBe(reserved);
    expect(useReservation(account(), mine)).not.toHaveProperty('reservation');
    const used = useReservation(reserved, mine);
    expect(used.reservation).toEqual({ ...reservation, used: true });
    expect(useReservation(used, mine)).toBe(used);
    expect([account(), reserved, used, account({ postponed })].map(isHeldBack)).toEqual([false, true, false, true]);
  });

  it('comes too late where the reservation has ended under which it was raised (reservation.3)', () => {
    const late = (fence: RaiseRequest['fence'], more: Partial<Snapshot> = {}, now = NOW) =>
      reservationEnded(account({ reservation, ...more }), { ...mine, ...(fence && { fence }) }, now)?.code;
    const fence = { life: 'life-1', fence: 3 };
    expect(late(fence)).toBeUndefined();
    expect(late(undefined, {}, 7_000)).toBeUndefined();
    expect(late(fence, {}, 6_000)).toBe('reservation_ended');
    expect(late({ ...fence, fence: 2 })).toBe('reservation_ended');
    expect(late({ ...fence, life: 'life-0' })).toBe('reservation_ended');
    expect(reservationEnded(account(), { ...mine, fence }, NOW)).toEqual({
      ...{ code: 'reservation_ended', entity: 'Account/k', event: 'put', state: 'Open' },
      message:
        "'put' was raised on Account/k under a reservation that has ended. Reserve it again, with a longer lease.",
    });
  });
});

describe('a reservation that is asked for (S3.6, reservation.1)', () => {
  it('is noted behind the event that waits last, once', () => {
    const asked = reserve(Account, account(), ask('a'), NOW);
    expect(asked).toStrictEqual({ snapshot: account({ reservers: [reserver('a')] }), effects: [] });
    const behind = reserve(Account, account({ waiting: [mine, theirs] }), ask('a'), NOW).snapshot;
    expect(behind.reservers).toStrictEqual([reserver('a', { behind: 'theirs' })]);
    const queued = account({ reservation, reservers: [reserver('a')] });
    expect(reserve(Account, queued, ask('a'), NOW).snapshot).toBe(queued);
    expect(reserve(Account, queued, ask('held'), NOW).snapshot).toBe(queued);
    expect(reserve(Account, queued, ask('b'), NOW).snapshot.reservers.map(({ wait }) => wait)).toEqual(['a', 'b']);
  });

  it('is a new lease for its owner, at once and as used as before', () => {
    const renews = { from: owner, renews: 3 };
    const used = { ...reservation, used: true };
    const step = reserve(Account, account({ reservation: used, fence: 3 }), ask('new', renews), NOW);
    const renewed = { ...used, wait: 'new', fence: 4, until: NOW + 500, since: NOW };
    expect(step.snapshot).toMatchObject({ fence: 4, reservation: renewed, reservers: [] });
    expect(step.effects).toMatchObject([
      {
        to: { key: 'one' },
        message: { kind: 'view', wait: 'new', granted: { fence: 4, until: NOW + 500, life: 'life-1' } },
      },
    ]);
    const queues = (held: Reservation, more: Partial<Reserve>) =>
      reserve(Account, account({ reservation: held }), ask('new', more), NOW).snapshot.reservers.length;
    expect(queues(used, { ...renews, renews: 2 })).toBe(1);
    expect(queues(used, { from: owner })).toBe(1);
    expect(queues(used, { renews: 3 })).toBe(1);
    expect(queues({ ...used, until: NOW }, renews)).toBe(1);
  });

  it('is answered with nothing to those of another tenant (S6.5)', () => {
    const vault = { ...new Puppet(Vault).snapshot, tenant: 'acme' };
    const step = reserve(Vault, vault, ask('a', { tenant: 'rival' }), NOW);
    expect(step.snapshot).toBe(vault);
    const message = { kind: 'view', from: { type: 'Vault', key: 'k' }, toLife: 'l', wait: 'a' };
    expect(step.effects).toStrictEqual([{ kind: 'send', to: { type: 'Clerk', key: 'a' }, message }]);
    expect(reserve(Vault, vault, ask('a', { tenant: 'acme' }), NOW).snapshot.reservers).toEqual([reserver('a')]);
    const read = { kind: 'read', from: owner, wait: 'r', tenant: 'rival' } as const;
    expect(hear(Vault, vault, read, NOW).effects).toMatchObject([{ message: { kind: 'view', wait: 'r' } }]);
    expect(hear(Vault, vault, read, NOW).effects[0]).not.toHaveProperty('message.view');
    expect(hear(Vault, vault, { ...read, tenant: 'acme' }, NOW).effects[0]).toHaveProperty('message.view');
  });

  it('is given up by those who wait for it, and ended by its owner', () => {
    const queued = account({ reservation, reservers: [reserver('a'), reserver('b')] });
    expect(release(Account, queued, { wait: 'a' }, NOW).snapshot.reservers).toEqual([reserver('b')]);
    expect(release(Account, queued, { wait: 'never' }, NOW).snapshot).toBe(queued);
    expect(release(Account, queued, { wait: 'held' }, NOW).snapshot).not.toHaveProperty('reservation');
  });

  it('is due when its lease is over, or its turn has come', () => {
    const due = (more: Partial<Snapshot>, now = NOW) => reservationDue(Account, account(more), now);
    expect([due({}), due({ reservation }), due({ reservation }, 6_000)]).toEqual([false, false, true]);
    const reservers = [reserver('a', { behind: 'theirs' })];
    expect([due({ reservers }), due({ reservers, waiting: [theirs] }), due({ reservers, waiting: [mine] })]).toEqual([
      true,
      false,
      true,
    ]);
    expect(due({ reservers, waiting: [theirs], postponed })).toBe(true);
    expect([
      due({ state: 'Closed' }),
      due({ state: 'Closed', reservation }),
      due({ state: 'Closed', reservers }),
    ]).toEqual([false, true, true]);
  });

  it('is granted in turn, but not to who has stopped waiting', () => {
    const turn = (snapshot: Snapshot) => turnReservation(Account, snapshot, NOW);
    const granted = turn(account({ reservers: [reserver('a'), reserver('b')], fence: 3 }));
    expect(granted.snapshot).toMatchObject({
      ...{ fence: 4, reservers: [reserver('b')] },
      reservation: {
        wait: 'a',
        owner: { key: 'a' },
        operation: 'op',
        fence: 4,
        until: NOW + 500,
        hold: 'action',
        used: false,
        since: NOW,
        looks: 0,
      },
    });
    expect(granted.effects).toMatchObject([{ message: { view: { state: 'Open' }, granted: { fence: 4 } } }]);
    const late = turn(account({ reservers: [reserver('a', { until: NOW }), reserver('b')] }));
    expect(late).toStrictEqual({ snapshot: account({ reservers: [reserver('b')] }), effects: [] });
    expect(turn(account({ reservation, reservers: [reserver('b')] })).snapshot).not.toHaveProperty('reservation');
    const closed = turn(account({ state: 'Closed', reservation, reservers: [reserver('a'), reserver('b')] }));
    expect(closed.snapshot).toMatchObject({ reservers: [] });
    expect(closed.snapshot).not.toHaveProperty('reservation');
    expect(closed.effects.map((effect) => effect.kind === 'send' && effect.to.key)).toEqual(['a', 'b']);
    expect(closed.effects[0]).not.toHaveProperty('message.view');
  });
});

describe('a request that has come before (S2.5)', () => {
  /** An account on which `mine` was raised and has ended, and `theirs` is under way. */
  function asked(): Puppet {
    const puppet = new Puppet(Account);
    puppet.snapshot = { ...puppet.snapshot, state: 'Open' };
    puppet.raise('put', mine.params, { ...mine, operation: 'op' });
    puppet.end();
    puppet.raise('put', theirs.params, theirs);
    return puppet;
  }

  it('is answered with what came of it, and that it is the same again', () => {
    const { snapshot } = asked();
    const repeated = (request: RaiseRequest, more: Partial<Snapshot> = {}) =>
      repeatedAnswer({ ...snapshot, ...more }, request);
    expect(repeated({ ...mine, id: 'new' })).toBeUndefined();
    expect(repeated(theirs)).toStrictEqual({ status: 'accepted', operation: 'theirs', repeated: true });
    expect(repeated({ ...mine, params: { amount: 9 } })).toMatchObject({
      ...{ status: 'rejected' },
      rejection: { code: 'request_conflict', entity: 'Account/k', event: 'put', state: 'Open', operation: 'theirs' },
    });
    const waits = { status: 'waiting', operation: 'op', behind: 'put', repeated: true };
    expect(repeated(mine, { waiting: [mine] })).toStrictEqual(waits);
    const { running: _, ...idle } = snapshot;
    expect(repeatedAnswer({ ...idle, waiting: [mine] }, mine)).toMatchObject({ status: 'accepted' });
  });

  it('is told to another operation for which it is raised now: its own follows it (S3.4, S4.2)', () => {
    const puppet = asked();
    const raised = (request: RaiseRequest) => {
      puppet.taken();
      const { id, params, ...more } = request;
      puppet.raise('put', params, { id, ...more });
      return puppet.taken().filter(({ kind }) => kind === 'tell');
    };
    const participant = { type: 'Account', key: 'k', life: 'life-1' };
    const followed = (engagement: string, by: string) => [
      { kind: 'tell', operation: 'later', message: { kind: 'followed', participant, engagement, by } },
    ];
    const from = mine.from!;
    expect(raised({ ...mine, operation: 'op' })).toEqual([]);
    expect(raised({ ...mine, operation: 'later' })).toEqual(followed('mine', 'op'));
    expect(raised({ ...theirs, from, operation: 'later' })).toEqual(followed('theirs', 'theirs'));
    // Nobody from outside waits for an operation of which it does not know.
    expect(raised(theirs)).toEqual([]);
  });

  it('is reported again to the entity that raises it, once it has ended or is a mistake', () => {
    const { snapshot } = asked();
    const again = (request: RaiseRequest) => reportAgain(snapshot, request, undefined);
    const { outcome } = snapshot.ledger.recent[0]!;
    expect(again(mine)).toStrictEqual({
      ...{ kind: 'report', from: { type: 'Account', key: 'k', life: 'life-1' }, toLife: 'l', version: 1, outcome },
      ...{ ended: ['mine'], again: true, operation: 'op' },
    });
    const from = mine.from!;
    expect(again({ ...theirs, from })).toBeUndefined();
    expect(again({ ...mine, id: 'new' })).toBeUndefined();
    const { from: _, ...anonymous } = mine;
    expect(again(anonymous)).toBeUndefined();
    const conflict = {
      state: 'Open',
      version: 1,
      health: 'normal',
      waiting: false,
      rejection: { code: 'request_conflict' },
    };
    expect(again({ ...mine, params: { amount: 9 } })).toMatchObject({ version: 1, outcome: conflict });
    const gone = { state: 'Open', version: 1, health: 'normal', waiting: false };
    expect(lastWord(snapshot, mine)?.outcome).toEqual(outcome);
    expect(lastWord(snapshot, { ...mine, id: 'new' })).toBeUndefined();
    const entry = { ...snapshot.ledger.recent[0]!, life: 'life-0' };
    const inherited = { ...snapshot, ledger: { ...snapshot.ledger, recent: [entry] } };
    expect(lastWord(inherited, mine)).toMatchObject({ from: { life: 'life-0' }, outcome: gone });
  });
});

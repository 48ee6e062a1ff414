import { describe, expect, it } from 'vitest';
import { answerOwnerLook } from '../../src/kernel/reservations/owner-look.js';
import { hear } from '../../src/kernel/turns/hear.js';
import { takeStep } from '../../src/kernel/turns/next.js';
import { undelivered } from '../../src/kernel/successors/undelivered.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { HeldReservation } from '../../src/protocol/kept-reservation.js';
import type { OwnerLook, Seal } from '../../src/protocol/reservation.js';
import { Purse } from '../entities/transfer.js';
import { Puppet } from '../support/entities.js';

const owner = { type: 'Transfer', key: 't', life: 'life-t' };
const from = { ...owner, judges: false };
const fence = { life: 'life-1', fence: 1 };
const LEASE_MS = 1_000;

const event = (id: string, name = 'add'): RaiseRequest => ({
  ...{ id, event: name, operation: 'op', from, fence },
  ...(name === 'add' && { params: { amount: 1 } }),
});
const asks = (more: Partial<Seal> = {}): Seal => ({
  ...{ kind: 'seal', wait: 's', from: owner, reservation: 'r', version: 3, first: event('one'), others: [] },
  ...more,
});

/** A purse that is reserved, and can be told messages. */
function reserved(hold: 'action' | 'operation' = 'action', leaseMs = LEASE_MS) {
  const puppet = new Puppet(Purse);
  puppet.raise('open', { money: 0 });
  puppet.end('Open');
  const tell = (message: EntityMessage) => {
    puppet.taken();
    puppet.apply(hear(Purse, puppet.snapshot, message, puppet.now));
    return puppet.taken().flatMap((each) => (each.kind === 'send' ? [each.message] : []));
  };
  const step = () => {
    puppet.taken();
    puppet.apply(takeStep(Purse, puppet.snapshot, puppet.next().kind as 'owner-look', puppet.now));
    return puppet.taken().flatMap((each) => (each.kind === 'send' ? [each.message] : []));
  };
  const raise = (request: RaiseRequest) => tell({ kind: 'raise', key: 'k', request });
  tell({ kind: 'reserve', wait: 'r', from: owner, operation: 'op', leaseMs, hold, until: 99_000 });
  step();
  return { puppet, tell, step, raise };
}

const sealed = { kind: 'sealed', from: { type: 'Purse', key: 'k' }, toLife: 'life-t', wait: 's' };
const refused = (code: string) => [{ ...sealed, rejection: expect.objectContaining({ code }) }];

describe('a seal (S3.6)', () => {
  it('is answered at once, and then waits for the event, not for the lease (seal.1, seal.2)', () => {
    const { puppet, tell, raise } = reserved();
    expect(tell(asks())).toEqual([sealed]);
    puppet.now += LEASE_MS;
    expect(puppet.next()).toEqual({ kind: 'rest', until: puppet.now - LEASE_MS + 30_000 });
    raise(event('one'));
    expect(puppet.snapshot.running?.action).toBe('add');
    puppet.end();
    expect(puppet.next().kind).toBe('reservation');
  });

  it('is refused with what the event would be rejected with, and the lease goes on (seal.1)', () => {
    const { puppet, tell } = reserved();
    expect(tell(asks({ first: event('one', 'open') }))).toEqual(refused('not_valid'));
    expect(tell(asks({ version: 4, first: { ...event('one'), tenant: 'a' } }))).toEqual([sealed]);
    const other = reserved();
    expect(other.tell(asks({ first: { ...event('one'), params: { amount: 'much' } } }))).toEqual(
      refused('invalid_parameters'),
    );
    expect(puppet.next().kind).toBe('rest');
  });

  it('is refused when the reservation has ended, or was another one', () => {
    const { puppet, tell, step } = reserved();
    expect(tell(asks({ reservation: 'before' }))).toEqual(refused('reservation_ended'));
    puppet.now += LEASE_MS;
    expect(tell(asks())).toEqual(refused('reservation_ended'));
    step();
    expect(puppet.snapshot.reservation).toBeUndefined();
    expect(tell(asks({ version: 9 }))).toEqual(refused('reservation_ended'));
  });

  it('does nothing when it comes twice, or is older than the last one (seal.4)', () => {
    const { puppet, tell } = reserved();
    tell(asks());
    const { snapshot } = puppet;
    expect(tell(asks())).toEqual([]);
    expect(tell(asks({ wait: 'older', version: 2 }))).toEqual([]);
    expect(puppet.snapshot).toBe(snapshot);
  });

  it('is answered when what the owner has set off rests again, or refused when the lease ends before (seal.3)', () => {
    const busy = () => {
      const all = reserved('operation');
      all.raise(event('zero'));
      expect(all.tell(asks())).toEqual([]);
      return all;
    };
    const { puppet, step } = busy();
    puppet.end();
    expect(puppet.next().kind).toBe('seal');
    expect(step()).toEqual([sealed]);
    const late = busy();
    late.puppet.now += LEASE_MS;
    late.puppet.end();
    expect(late.puppet.next().kind).toBe('reservation');
    expect(late.step()).toEqual(refused('reservation_ended'));
  });

  it('holds all back until each of its events has been decided, in the state that the one before leaves (seal.1)', () => {
    const { puppet, tell, raise } = reserved('operation');
    tell(asks({ first: event('one', 'count'), others: ['two'] }));
    raise(event('one', 'count'));
    puppet.end('Counting');
    expect(puppet.next()).toEqual({ kind: 'rest', until: 31_000 });
    const told = raise(event('two'));
    expect(told).toMatchObject([{ kind: 'report', outcome: { rejection: { state: 'Counting' } } }]);
    expect(puppet.next().kind).toBe('automatic');
  });

  it('keeps its promise for an event that waits, also past the lease', () => {
    const { puppet, tell, raise } = reserved();
    tell(asks({ others: ['two'] }));
    raise(event('one'));
    puppet.now += LEASE_MS;
    raise(event('two'));
    expect(puppet.snapshot.waiting).toMatchObject([{ id: 'two' }]);
    puppet.end();
    expect(puppet.next().kind).toBe('event');
    puppet.admitWaiting();
    puppet.end();
    expect(puppet.next().kind).toBe('reservation');
  });

  it('ends by the word of the owner: with the reservation, or without it', () => {
    const { puppet, tell } = reserved();
    tell(asks());
    tell({ kind: 'unseal', reservation: 'r', wait: 'another' });
    puppet.now += LEASE_MS;
    expect(puppet.next().kind).toBe('rest');
    tell({ kind: 'unseal', reservation: 'r', wait: 's' });
    expect(puppet.next().kind).toBe('reservation');
    const released = reserved();
    released.tell(asks());
    released.tell({ kind: 'release', wait: 'r' });
    expect(released.puppet.snapshot.reservation).toBeUndefined();
  });

  it('outlasts the operation that releases what it had reserved', () => {
    const { puppet, tell, raise } = reserved('operation');
    tell(asks());
    tell({ kind: 'release', wait: 'r', operation: 'op' });
    expect(puppet.next().kind).toBe('rest');
    raise(event('one'));
    puppet.end();
    expect(puppet.next().kind).toBe('reservation');
  });
});

describe('a reserved entity that hears nothing of its owner (S3.6)', () => {
  it('asks it at growing distances, and ends the reservation when it is absent twice in a row (owner-look.2)', () => {
    const { puppet, tell, step } = reserved();
    tell(asks());
    const looks: OwnerLook[] = [];
    const ask = (afterMs: number) => {
      expect(puppet.next()).toEqual({ kind: 'rest', until: puppet.now + afterMs });
      puppet.now += afterMs;
      const [ownerLook] = step();
      expect(ownerLook).toMatchObject({ kind: 'owner-look', reservation: 'r', wait: 's', round: looks.length + 1 });
      looks.push(ownerLook as OwnerLook);
    };
    const miss = () => puppet.apply(undelivered(Purse, puppet.snapshot, owner, looks.at(-1)!, puppet.now));
    ask(30_000);
    miss();
    ask(60_000);
    ask(120_000);
    miss();
    miss();
    expect(puppet.snapshot.reservation).toBeDefined();
    ask(240_000);
    miss();
    expect(puppet.snapshot.reservation).toBeUndefined();
  });

  it('is told by the owner that a seal is over of which that knows nothing (owner-look.1)', () => {
    const { snapshot } = new Puppet(Purse, 't');
    const ownerLook: OwnerLook = {
      kind: 'owner-look',
      from: { type: 'Purse', key: 'k' },
      reservation: 'r',
      hold: 'action',
      wait: 's',
      round: 1,
    };
    const running = { action: 'move', kind: 'automatic', startedAt: 0 } as const;
    const held = { wait: 'r' } as HeldReservation;
    const said = (more: object) => answerOwnerLook({ ...snapshot, ...more }, ownerLook);
    expect(said({ running: { ...running, seals: [{ wait: 's', reservation: 'r' }] } })).toEqual([]);
    const to = { type: 'Purse', key: 'k' };
    const unseal = { kind: 'send', to, message: { kind: 'unseal', reservation: 'r', wait: 's' } };
    expect(said({ holds: [held] })).toEqual([unseal]);
    expect(said({ running: { ...running, holds: [held] } })).toEqual([unseal]);
    expect(said({})).toEqual([{ kind: 'send', to, message: { kind: 'release', wait: 'r' } }]);
  });

  it('is released by an owner that knows nothing of it, also where nothing was sealed (owner-look.1)', () => {
    const { snapshot } = new Puppet(Purse, 't');
    const to = { type: 'Purse', key: 'k' };
    const ownerLook: OwnerLook = { kind: 'owner-look', from: to, reservation: 'r', hold: 'action', round: 1 };
    const running = { action: 'move', kind: 'automatic', startedAt: 0 } as const;
    const held = { wait: 'r' } as HeldReservation;
    const said = (more: object, look: OwnerLook = ownerLook) => answerOwnerLook({ ...snapshot, ...more }, look);
    expect(said({})).toEqual([{ kind: 'send', to, message: { kind: 'release', wait: 'r' } }]);
    expect(said({ running, holds: [{ wait: 'another' } as HeldReservation] })).toHaveLength(1);
    expect(said({ holds: [held] })).toEqual([]);
    expect(said({ running: { ...running, holds: [held] } })).toEqual([]);
    // The grant may still be on its way.
    expect(said({ running: { ...running, awaits: [{ wait: 'r' }] } })).toEqual([]);
    // The operation releases it.
    expect(said({}, { ...ownerLook, hold: 'operation' })).toEqual([]);
  });

  it('asks also where nothing was sealed, before a long lease is over (owner-look.2)', () => {
    const { puppet, step } = reserved('action', 100_000);
    const miss = (look: OwnerLook) => puppet.apply(undelivered(Purse, puppet.snapshot, owner, look, puppet.now));
    const grantedAt = puppet.now;
    expect(puppet.next()).toEqual({ kind: 'rest', until: grantedAt + 30_000 });
    puppet.now += 30_000;
    const [first] = step() as OwnerLook[];
    expect(first).toEqual({
      ...{ kind: 'owner-look', from: { type: 'Purse', key: 'k' }, reservation: 'r', hold: 'action', round: 1 },
    });
    // It had not sealed when the look began.
    miss({ ...first!, wait: 's' });
    expect(puppet.snapshot.reservation).not.toHaveProperty('missed');
    miss(first!);
    expect(puppet.next()).toEqual({ kind: 'rest', until: grantedAt + 90_000 });
    puppet.now += 60_000;
    const [second] = step() as OwnerLook[];
    expect(puppet.next()).toEqual({ kind: 'rest', until: grantedAt + 100_000 });
    miss(second!);
    expect(puppet.snapshot.reservation).toBeUndefined();
  });

  it('ends the reservation when its answer finds nobody', () => {
    const { puppet, tell } = reserved();
    const [answer] = tell(asks());
    puppet.apply(undelivered(Purse, puppet.snapshot, owner, answer!, puppet.now));
    expect(puppet.snapshot.reservation).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { toBeTold } from '../../src/kernel/successors/ended-successor.js';
import { hear } from '../../src/kernel/turns/hear.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { Report } from '../../src/protocol/report.js';
import type { Lost } from '../../src/protocol/successor-messages.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Account } from '../entities/bank.js';
import { Box } from '../entities/box.js';
import { Fleet } from '../entities/fleet.js';
import { Puppet } from '../support/entities.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

function report(key: string, more: Partial<Report> = {}): Report {
  return {
    kind: 'report',
    from: { type: 'Ship', key, life: `life-${key}` },
    toLife: 'life-1',
    version: 3,
    outcome: { state: 'Running', version: 3, health: 'normal', waiting: false },
    ended: [`launch-${key}`],
    ...more,
  };
}

const lost = (key: string, more: Partial<Lost> = {}): Lost => ({
  kind: 'lost',
  from: { type: 'Ship', key, life: `life-${key}` },
  toLife: 'life-1',
  ...more,
});

function tell(puppet: Puppet, message: EntityMessage): void {
  puppet.apply(hear(puppet.entity, puppet.snapshot, message, puppet.now));
}

/** A fleet that waits for five ships. */
function launching(): Puppet {
  const fleet = new Puppet(Fleet);
  fleet.raise('launch', { ships: KEYS });
  const raises = KEYS.map((key) => ({
    ...{ to: { type: 'Ship', key }, creates: true, judges: true },
    request: { id: `launch-${key}`, event: 'launch' },
  }));
  fleet.end('Launching', { raises });
  fleet.taken();
  return fleet;
}

/** A fleet that is Ready, and its operation is over. */
function ready(): Puppet {
  const fleet = launching();
  for (const key of KEYS) fleet.report(report(key));
  fleet.end('Ready');
  fleet.taken();
  return fleet;
}

const successor = (fleet: Puppet, key: string) => fleet.snapshot.successors.find((each) => each.key === key);

describe('a successor that was ended by other hands (S4.4)', () => {
  it('is lost in a state in which nobody waits for it, and a subscription that asks for it fires once (ended-successor.1)', () => {
    const fleet = ready();
    expect(fleet.snapshot.state).toBe('Ready');
    for (const key of ['a', 'b']) tell(fleet, lost(key));
    expect(successor(fleet, 'a')).toMatchObject({ event: 'settled', outcome: { state: 'Running', lost: true } });
    expect(fleet.snapshot.running).toBeUndefined();
    tell(fleet, lost('c'));
    expect(fleet.snapshot.running).toMatchObject({ action: 'degrade', subscription: 'tooFew' });
    fleet.end('Degraded');
    const after = fleet.snapshot;
    tell(fleet, lost('c'));
    expect(fleet.snapshot).toBe(after);
  });

  it('opens an operation for what it sets off, where that of the successor is over (S4.5, ended-successor.1)', () => {
    const fleet = ready();
    for (const key of ['a', 'b', 'c']) tell(fleet, lost(key));
    const [engagement] = fleet.snapshot.engagements;
    expect(engagement).toMatchObject({ event: 'fewer', eventType: 'subscription' });
    expect(engagement!.operation).toBe(engagement!.id);
    expect(fleet.taken().map(({ kind }) => kind)).toEqual(['open']);
  });

  it('opens an operation for it also where it last rested for operations of others alone (S4.2, ended-successor.1)', () => {
    const resting = (more: Partial<Report>) => {
      const fleet = ready();
      const outcome = { state: 'Running', version: 4, health: 'normal', waiting: true } as const;
      for (const key of KEYS) fleet.report(report(key, { version: 4, outcome, ended: [], ...more }));
      for (const key of ['a', 'b', 'c']) tell(fleet, lost(key));
      const [engagement] = fleet.snapshot.engagements;
      return engagement!.operation === engagement!.id;
    };
    expect(resting({ restsForOthers: true })).toBe(true);
    expect(resting({})).toBe(false);
  });

  it('is lost while an action runs, which reacts when it has ended (ended-successor.1)', () => {
    const fleet = ready();
    fleet.raise('refit');
    for (const key of ['a', 'b', 'c']) tell(fleet, lost(key));
    expect(fleet.snapshot.running?.action).toBe('refit');
    fleet.end('Ready');
    expect(fleet.snapshot.running).toMatchObject({ action: 'degrade' });
  });

  it('is not lost by the word on another life, to another life, or on another entity (ended-successor.1)', () => {
    const fleet = ready();
    const before = fleet.snapshot;
    tell(fleet, lost('a', { from: { type: 'Ship', key: 'a', life: 'life-0' } }));
    tell(fleet, lost('a', { toLife: 'life-0' }));
    tell(fleet, lost('z'));
    expect(fleet.snapshot).toBe(before);
  });

  it('is believed no more, whatever it has said before (ended-successor.1)', () => {
    const fleet = ready();
    tell(fleet, lost('a'));
    fleet.report(report('a', { version: 7 }));
    fleet.report(report('a', { version: 7, ended: [] }));
    expect(successor(fleet, 'a')).toMatchObject({ version: 3, outcome: { lost: true } });
  });

  it('is another one when it lives again (S1.3, ended-successor.1)', () => {
    const fleet = ready();
    tell(fleet, lost('a'));
    fleet.report(report('a', { from: { type: 'Ship', key: 'a', life: 'another' }, version: 1, ended: [] }));
    expect(successor(fleet, 'a')?.outcome?.lost).toBe(true);
    fleet.raise('relaunch', { ship: 'a' });
    const request = { id: 'again-a', event: 'launch' };
    fleet.end('Launching', { raises: [{ to: { type: 'Ship', key: 'a' }, creates: true, judges: true, request }] });
    // The life before it comes to speech once more.
    fleet.report(report('a', { version: 9 }));
    expect(successor(fleet, 'a')).toMatchObject({ event: 'pending', version: 0 });
    fleet.report(report('a', { from: { type: 'Ship', key: 'a', life: 'another' }, version: 1, ended: ['again-a'] }));
    tell(fleet, lost('a'));
    fleet.report(report('a', { version: 9 }));
    expect(successor(fleet, 'a')).toMatchObject({ event: 'settled', life: 'another', version: 1 });
    expect(successor(fleet, 'a')?.outcome?.lost).toBeUndefined();
  });

  it('is looked after at once where its event is unanswered, and then absent once is enough (ended-successor.2)', () => {
    const fleet = launching();
    tell(fleet, lost('a'));
    const [sent] = fleet.taken();
    expect(sent).toMatchObject({ kind: 'send', to: { type: 'Ship', key: 'a' }, message: { kind: 'look' } });
    expect(successor(fleet, 'a')).toMatchObject({ event: 'pending', missed: true });
    if (sent?.kind !== 'send' || sent.message.kind !== 'look') throw new Error('it does not look');
    fleet.miss({ to: sent.to, look: sent.message });
    expect(successor(fleet, 'a')).toMatchObject({ outcome: { lost: true } });
    // The report that it had sent before it ended.
    fleet.report(report('a'));
    expect(successor(fleet, 'a')).toMatchObject({ outcome: { lost: true } });
  });

  it('is lost by its own last word, where that comes after the word of the keeper (ended-successor.1)', () => {
    const fleet = launching();
    tell(fleet, lost('a'));
    tell(fleet, lost('a'));
    expect(fleet.taken()).toHaveLength(1);
    fleet.report(report('a', { ended: [] }));
    expect(successor(fleet, 'a')).toMatchObject({ event: 'pending', missed: true });
    fleet.report(report('a'));
    expect(successor(fleet, 'a')).toMatchObject({ event: 'settled', outcome: { state: 'Running', lost: true } });
  });

  it('that was deleted or has rejected the event has said its last word', () => {
    const fleet = launching();
    const rejection = { code: 'not_valid', message: 'no', entity: 'Ship/a', event: 'launch' };
    fleet.report(report('a', { outcome: { ...report('a').outcome, rejection } }));
    fleet.report(report('b', { outcome: { ...report('b').outcome, closed: true } }));
    const before = fleet.snapshot;
    tell(fleet, lost('a'));
    tell(fleet, lost('b'));
    expect(fleet.snapshot).toBe(before);
  });
});

describe('an owner of a reservation that was ended by other hands (S3.6, reservation.3)', () => {
  const owner = { type: 'Clerk', key: 'c', life: 'life-c' };
  const reserve = (wait: string, from = owner) =>
    ({ kind: 'reserve', wait, from, operation: 'o', leaseMs: 60_000, hold: 'action', until: 60_000 }) as const;

  it('holds it no longer, nor asks for it', () => {
    const account = new Puppet(Account);
    account.raise('open');
    account.end('Open');
    tell(account, reserve('one'));
    account.next();
    const granted: Snapshot = {
      ...account.snapshot,
      reservers: [],
      reservation: {
        wait: 'one',
        owner,
        operation: 'o',
        fence: 1,
        until: 60_000,
        hold: 'action',
        used: false,
        since: 0,
        looks: 0,
      },
    };
    account.snapshot = granted;
    tell(account, reserve('two'));
    tell(account, reserve('three', { ...owner, key: 'another' }));
    const word = { kind: 'lost', from: owner, toLife: 'life-1' } as const;
    tell(account, { ...word, from: { ...owner, life: 'life-0' } });
    expect(account.snapshot.reservation).toBeDefined();
    tell(account, word);
    expect(account.snapshot.reservation).toBeUndefined();
    expect(account.snapshot.reservers.map(({ wait }) => wait)).toEqual(['three']);
  });
});

describe('whom the keeper tells (S4.4)', () => {
  it('is who watches, whose event waits, and who was reserved; each life once', () => {
    const box = new Puppet(Box);
    const room = { type: 'Room', key: 'k', life: 'life-room', judges: true };
    box.raise('place', { label: 'x' }, { operation: 'o', from: room });
    box.end('Placing');
    box.startAutomatic();
    box.raise('relabel', { label: 'y' }, { from: { ...room, key: 'other' } });
    box.raise('relabel', { label: 'z' }, { id: 'z', from: room });
    const on = { type: 'Account', key: 'a', life: 'life-a', fence: 1 };
    const snapshot = {
      ...box.snapshot,
      holds: [{ wait: 'w', on, operation: 'o', until: 9, hold: 'operation' as const }],
    };
    expect(toBeTold(snapshot)).toEqual([
      { type: 'Room', key: 'k', life: 'life-room' },
      { type: 'Room', key: 'other', life: 'life-room' },
      { type: 'Account', key: 'a', life: 'life-a' },
    ]);
  });
});

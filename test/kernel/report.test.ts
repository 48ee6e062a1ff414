import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/kernel/turns/next.js';
import { absent, receive, receiveAbsent } from '../../src/kernel/successors/receive.js';
import { outgrows } from '../../src/kernel/rules/snapshot-size.js';
import { passes } from '../../src/kernel/rules/matching.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Report } from '../../src/protocol/report.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Site } from '../entities/site.js';
import { Puppet } from '../support/entities.js';

const outcome = (state: string, version: number, more: Partial<EngagementOutcome> = {}): EngagementOutcome => ({
  ...{ state, version, health: 'normal', waiting: false },
  ...more,
});
const known: Successor = {
  ...{ type: 'Box', key: 'a', life: 'one', operation: 'op', position: '1.1', request: 'order', version: 5 },
  ...{ event: 'settled', outcome: outcome('Placed', 5) },
};
const { life: _, outcome: __, ...fresh }: Successor = { ...known, event: 'pending', version: 0 };

/** A room that knows one successor. */
const knowing = (successor: Successor): Snapshot => ({
  ...new Puppet(Room).snapshot,
  successors: [{ ...known, key: 'z' }, successor],
});
const report = (version: number, more: Partial<Report> = {}): Report => ({
  ...{ kind: 'report', from: { type: 'Box', key: 'a', life: 'one' }, toLife: 'life-1', version, ended: [] },
  outcome: outcome('Moved', version),
  ...more,
});
const after = (successor: Successor, heard: Report) =>
  receive(Room, knowing(successor), heard, 7).snapshot.successors.at(-1);

describe('what is known of a successor after a report (S4.4, receive.1, receive.2)', () => {
  const two = { from: { type: 'Box', key: 'a', life: 'two' } };

  it('is the newer word of the same life', () => {
    expect(after(known, report(6))).toStrictEqual({ ...known, version: 6, outcome: outcome('Moved', 6) });
    expect(after(known, report(5))).toStrictEqual(known);
    expect(after(known, report(4))).toStrictEqual(known);
    expect(after({ ...known, missed: true }, report(4))).toStrictEqual(known);
    expect(after(fresh, report(0))).toStrictEqual({ ...fresh, life: 'one', outcome: outcome('Moved', 0) });
  });

  it('is that its event has settled, where the report says so', () => {
    const ended = { ended: ['another', 'order'] };
    expect(after(fresh, report(0, ended))).toMatchObject({ event: 'settled', version: 0 });
    expect(after({ ...known, event: 'pending' }, report(4, ended))).toStrictEqual(known);
    expect(after(fresh, report(1))).toMatchObject({ event: 'pending' });
  });

  it('is another life only where that has answered its event', () => {
    expect(after(known, report(9, two))).toStrictEqual(known);
    const answered = report(1, { ...two, ended: ['order'] });
    expect(after(known, answered)).toStrictEqual({ ...known, life: 'two', version: 1, outcome: outcome('Moved', 1) });
  });

  it('is that its event was rejected, with all that was known before', () => {
    const rejection = { code: 'not_valid', message: 'no', entity: 'Box/a', event: 'place' };
    const rejected = outcome('Placed', 9, { rejection });
    const heard = report(9, { outcome: rejected, ended: ['order'] });
    expect(after(known, heard)).toStrictEqual({ ...known, event: 'rejected', outcome: rejected });
    expect(after(known, { ...heard, ended: ['another'] })).toMatchObject({ event: 'settled' });
  });

  it('is nothing new where an earlier event was rejected, by a life that may never have come to be', () => {
    const rejection = { code: 'invalid_key', message: 'no', entity: 'Box/a', event: 'place' };
    const refused = report(0, { ended: ['before'], outcome: outcome('Absent', 0, { rejection }) });
    expect(after(fresh, refused)).toStrictEqual(fresh);
    expect(after({ ...known, missed: true }, { ...refused, version: 9 })).toStrictEqual(known);
  });

  it('is judged once: the same report again is confirmed at once, as its operation may have ended (receive.1, receive.3)', () => {
    const judgement = { id: 'j', operations: ['op'] };
    const told = report(5, { ended: ['order'], judgement });
    const hear = (successor: Successor, owed: Snapshot['judgements'] = []) => {
      const running = { action: 'begin', kind: 'event', startedAt: 1 } as const;
      const { snapshot, effects } = receive(Room, { ...knowing(successor), running, judgements: owed }, told, 7);
      return [snapshot.judgements, effects];
    };
    const confirmed = { kind: 'tell', operation: 'op', message: { kind: 'judged', judgements: ['j'], caused: [] } };
    expect(hear(fresh)).toEqual([[judgement], []]);
    expect(hear(known, [judgement])).toEqual([[judgement], []]);
    expect(hear(known)).toEqual([[], [confirmed]]);
    expect(hear({ ...known, version: 6 })).toEqual([[], [confirmed]]);
  });

  it('is noted with the time, and nothing of it where the successor is not known', () => {
    const unknown = report(6, { from: { type: 'Box', key: 'y', life: 'one' } });
    const { snapshot } = receive(Room, knowing(known), unknown, 7);
    expect(snapshot.successors).toEqual(knowing(known).successors);
    expect(snapshot.look).toEqual({ since: 7, count: 0 });
  });
});

describe('an event whose target is not there (S2.2)', () => {
  const own = 'Room/k#life-1/0/order/place/1';

  it('ends rejected, and may be raised again under another id (S3.4)', () => {
    const target = { type: 'Box', key: 'a' };
    expect(absent(target, 'place')).toStrictEqual({
      ...outcome('absent', 0),
      rejection: {
        code: 'absent',
        message: "'place' was raised on Box/a, which does not exist.",
        entity: 'Box/a',
        event: 'place',
      },
    });
    const step = receiveAbsent(Room, knowing({ ...known, request: own }), target, { id: own, event: 'place' }, 7);
    expect(step.snapshot).toMatchObject({
      rejectedRaises: [own],
      successors: [{ event: 'settled' }, { event: 'rejected' }],
    });
    expect(step.effects[0]).toMatchObject({
      ...{ kind: 'tell', operation: own },
      message: { kind: 'ended', engagement: own, participant: { ...target, life: '' }, event: 'place' },
    });
  });
});

describe('how a successor passes a test (S4.3)', () => {
  const tests = ['accepted', 'settled', 'healthy', 'failed', 'lost', 'rejected'] as const;
  const words = (successor: Partial<Successor>) => {
    const { outcome: ___, ...bare } = known;
    return tests.filter((is) => passes({ is }, { ...bare, ...successor })).join(' ');
  };
  const rejection = { code: 'no', message: 'no', entity: 'e', event: 'e' };

  it.each<[string, Partial<Successor>]>([
    ['', { event: 'pending' }],
    ['', { event: 'pending', outcome: outcome('Placed', 1) }],
    ['accepted', { event: 'accepted' }],
    ['accepted', { event: 'settled' }],
    ['accepted', { event: 'settled', outcome: outcome('Waiting', 1, { waiting: true }) }],
    ['accepted settled healthy', { event: 'settled', outcome: outcome('Placed', 1) }],
    ['accepted settled failed', { event: 'settled', outcome: outcome('Lost', 1, { health: 'error' }) }],
    ['accepted', { event: 'settled', outcome: outcome('Lost', 1, { health: 'error', waiting: true }) }],
    ['accepted settled failed lost', { event: 'settled', outcome: outcome('Placed', 1, { lost: true }) }],
    ['accepted settled failed lost', { event: 'rejected', outcome: outcome('Placed', 1, { lost: true }) }],
    ['rejected', { event: 'rejected', outcome: outcome('Placed', 1, { rejection }) }],
  ])('%j: %j', (expected, successor) => {
    expect(words(successor)).toBe(expected);
  });

  it('of a state only once it has settled there and is not lost', () => {
    const inPlaced = (successor: Partial<Successor>) => passes({ in: ['Placed', 'Lost'] }, { ...known, ...successor });
    expect(inPlaced({})).toBe(true);
    expect(inPlaced({ outcome: outcome('Absent', 1) })).toBe(false);
    expect(inPlaced({ event: 'pending' })).toBe(false);
    expect(inPlaced({ event: 'accepted' })).toBe(false);
    expect(inPlaced({ outcome: outcome('Placed', 1, { lost: true }) })).toBe(false);
    expect(passes({ in: ['Placed'] }, { ...fresh, event: 'settled' })).toBe(false);
  });
});

describe('an entity that rests (S1.3, S2.4)', () => {
  const site = new Puppet(Site, 'shop', { size: 2 }).snapshot;
  const running = { action: 'drop', kind: 'event', startedAt: 1 } as const;
  const owner = { type: 'Clerk', key: 'c', life: 'l' };
  const reservation = {
    wait: 'w',
    owner,
    operation: 'op',
    fence: 1,
    until: 9_000,
    hold: 'action',
    used: false,
    since: 0,
    looks: 0,
  } as const;
  const next = (more: Partial<Snapshot>) => nextStep(Site, { ...site, ...more }, 2_000);

  it('does nothing in a terminal state, and its workflow ends in a deleted one', () => {
    expect(next({ state: 'Archived', look: { since: 0, count: 0 }, rearm: { at: 0, failures: 1 } })).toEqual({
      kind: 'rest',
    });
    expect(next({ state: 'Archived', reservation: { ...reservation, used: true } })).toEqual({
      kind: 'rest',
      until: 9_000,
    });
    expect(next({ state: 'Deleted' })).toEqual({ kind: 'closed' });
  });

  it('rests until the lease ends where a reservation holds it back, or where an action is to run again in its state', () => {
    const unstable = { state: 'Building', nextAttemptAt: 0 };
    expect(next(unstable)).toEqual({ kind: 'automatic' });
    expect(next({ ...unstable, reservation })).toEqual({ kind: 'rest', until: 9_000 });
    expect(next({ ...unstable, reservation: { ...reservation, used: true } })).toEqual({ kind: 'automatic' });
    const postponed = { running, at: 5_000, entry: 0 };
    expect(next({ ...unstable, postponed })).toEqual({ kind: 'rest', until: 5_000 });
    expect(next({ ...unstable, postponed: { ...postponed, at: 2_000 } })).toEqual({ kind: 'resume' });
    const used = { ...reservation, used: true };
    expect(next({ ...unstable, postponed, reservation: used })).toEqual({ kind: 'rest', until: 9_000 });
    expect(next({ ...unstable, postponed: { ...postponed, entry: 7 }, reservation: used })).toEqual({
      kind: 'automatic',
    });
  });

  it('rests until what comes first', () => {
    const successors = [{ ...fresh, operation: 'op' }];
    const room = { ...new Puppet(Room).snapshot, state: 'Waiting' };
    const rest = (more: Partial<Snapshot>) => nextStep(Room, { ...room, ...more }, 2_000);
    expect(rest({})).toEqual({ kind: 'rest' });
    expect(rest({ successors })).toEqual({ kind: 'rest', until: 31_000 });
    expect(rest({ successors, rearm: { at: 3_000, failures: 1 } })).toEqual({ kind: 'rest', until: 3_000 });
    expect(rest({ rearm: { failures: 1 } })).toEqual({ kind: 'rest' });
    expect(rest({ rearm: { at: 2_000, failures: 1 } })).toEqual({ kind: 'subscriptions' });
    expect(rest({ successors, look: { since: 0, count: 0 } })).toEqual({ kind: 'rest', until: 30_000 });
  });
});

describe('a snapshot that grows (Q1)', () => {
  const box = new Puppet(Box).snapshot;
  const sized = (kilobytes: number, more: Partial<Snapshot> = {}): Snapshot => ({
    ...box,
    properties: { other: 'z'.repeat(1_024), label: 'x'.repeat(kilobytes * 1024), least: 'z', place: 'y'.repeat(2_048) },
    ...more,
  });

  it('outgrows its budget by what it gains, and names its three largest parts', () => {
    expect(outgrows(box, sized(100))).toBeUndefined();
    expect(outgrows(sized(600), sized(599))).toBeUndefined();
    expect(outgrows(sized(600), sized(600))).toBeUndefined();
    const largest = 'largest: properties.label 601 KB, properties.place 3 KB, properties.other 2 KB)';
    expect(outgrows(sized(599), sized(600))).toMatch(/^60[34] KB \(maximum 512 KB; /);
    expect(outgrows(sized(599), sized(600))).toContain(largest);
  });

  it('takes at its limit whatever does not make its contents larger (S1.5a)', () => {
    const lastError = { kind: 'defect', code: 'defect', message: 'm'.repeat(1_000) } as const;
    const later = {
      state: 'AStateWithALongName',
      version: 1_000_000,
      entry: 1_000_000,
      enteredAt: 10 ** 15,
      lastError,
    };
    expect(outgrows(sized(600), sized(600, later))).toBeUndefined();
    expect(outgrows(sized(600), sized(600, { ...later, links: { one: 'more' } }))).toBeDefined();
  });

  it('does not count what has a budget of its own, or passes by itself', () => {
    const ledger = { recent: [], older: [{ fingerprints: 'x'.repeat(600 * 1024) }], forgotten: 0 };
    const waiting = [{ id: 'w', event: 'e', params: 'x'.repeat(600 * 1024) }];
    expect(outgrows(box, { ...box, ledger, waiting })).toBeUndefined();
  });
});

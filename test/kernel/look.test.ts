import { describe, expect, it } from 'vitest';
import { receiveStranger } from '../../src/kernel/successors/look.js';
import { answerLook, watchAgain } from '../../src/kernel/successors/look-answer.js';
import type { Report } from '../../src/protocol/report.js';
import type { Look } from '../../src/protocol/successor-messages.js';
import type { RunningAction } from '../../src/protocol/snapshot.js';
import { Box, Room } from '../entities/box.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const SECOND = 1_000;

const intent = (key: string) => ({
  to: { type: 'Box', key },
  creates: true,
  request: { id: `order-${key}`, event: 'place' },
  judges: true,
});

function report(key: string, version: number, state = 'Placed', outcome: Partial<Report['outcome']> = {}): Report {
  return {
    kind: 'report',
    from: { type: 'Box', key, life: `life-${key}` },
    toLife: 'life-1',
    version,
    outcome: { state, version, health: 'normal', waiting: false, ...outcome },
    ended: [`order-${key}`],
  };
}

/** A room that waits for its boxes a and b. */
function waiting(): Puppet {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: ['a', 'b'] });
  room.end('Furnishing');
  room.startAutomatic();
  room.end('Waiting', { raises: [intent('a'), intent('b')] });
  room.taken();
  return room;
}

/** Looks when it is time to. */
function look(room: Puppet) {
  room.pass();
  return room.look();
}

/** Looks twice at a box that is not there. */
function lose(room: Puppet, key: string): void {
  for (const _ of [1, 2]) room.miss(look(room).find(({ to }) => to.key === key)!);
}

const successor = (room: Puppet, key: string) => room.snapshot.successors.find((each) => each.key === key);

describe('an entity that waits for successors', () => {
  it('looks after those that say nothing, at growing distances of 10 minutes at most (S4.4, look.1)', () => {
    const room = waiting();
    const distances = Array.from({ length: 7 }, () => {
      const before = room.now;
      expect(look(room).map(({ to }) => to.key)).toEqual(['a', 'b']);
      return (room.now - before) / SECOND;
    });
    expect(distances).toEqual([30, 60, 120, 240, 480, 600, 600]);
  });

  it('looks again after the shortest time once it has heard of one (S4.4, look.1)', () => {
    const room = waiting();
    look(room);
    look(room);
    room.now += 10 * SECOND;
    room.report(report('a', 3));
    expect(room.pass()).toBe(room.snapshot.look!.since + 30 * SECOND);
    expect(room.look()).toMatchObject([{ to: { key: 'b' }, look: { request: 'order-b' } }]);
  });

  it('looks after one that rests for its own successors, and one in a state nobody asks for (S4.4, look.1)', () => {
    const room = waiting();
    room.report(report('a', 3, 'Clearing', { waiting: true }));
    room.report(report('b', 4, 'Absent'));
    expect(look(room)).toMatchObject([
      { to: { key: 'a' }, look: { life: 'life-a', version: 3 } },
      { to: { key: 'b' }, look: { life: 'life-b', version: 4 } },
    ]);
  });

  it('does not look after one that is as wished, was rejected, or was deleted (S4.4, look.1)', () => {
    const room = waiting();
    room.report(report('a', 3, 'Deleted', { closed: true }));
    room.report(report('b', 3));
    expect(room.next()).toEqual({ kind: 'rest' });
    const rejection = { code: 'not_valid', message: 'no', entity: 'Box/a', event: 'place' };
    const other = waiting();
    other.report(report('a', 3, 'Absent', { rejection }));
    expect(look(other).map(({ to }) => to.key)).toEqual(['b']);
  });

  it('looks after an event that was raised without waiting, in whatever state it is itself (S4.4, look.1)', () => {
    const room = waiting();
    room.raise('boxLost');
    room.end('Failed');
    expect(look(room)).toHaveLength(2);
    room.report(report('a', 3));
    room.report(report('b', 3));
    expect(room.next()).toEqual({ kind: 'rest' });
  });
});

describe('whom a look is for (S4.4, look.1)', () => {
  it('names who looks, what is known of whom it is for, and whether reports are judged', () => {
    const room = waiting();
    const from = { type: 'Room', key: 'k', life: 'life-1', judges: true };
    expect(look(room)).toStrictEqual([
      { to: { type: 'Box', key: 'a' }, look: { kind: 'look', from, request: 'order-a' } },
      { to: { type: 'Box', key: 'b' }, look: { kind: 'look', from, request: 'order-b' } },
    ]);
    const { subscriptions: _, ...silent } = Room;
    const quiet = new Puppet({ ...silent, subscriptions: {} });
    quiet.snapshot = room.snapshot;
    expect(look(quiet)[0]).toMatchObject({ look: { from: { judges: false } } });
  });

  it('is one that rests for its own, whatever anyone asks for (S4.3)', () => {
    const room = waiting();
    room.snapshot = { ...room.snapshot, state: 'Ready' };
    room.report(report('a', 3, 'Placed', { waiting: true }));
    room.report(report('b', 3));
    expect(look(room).map(({ to }) => to.key)).toEqual(['a']);
  });

  it('is not one of which a subscription asks that cannot fire here, or that looks at others (S4.3)', () => {
    const elsewhere = waiting();
    elsewhere.report(report('a', 3, 'Absent'));
    elsewhere.report(report('b', 3, 'Absent'));
    expect(elsewhere.next()).toMatchObject({ kind: 'rest' });
    elsewhere.snapshot = { ...elsewhere.snapshot, state: 'Ready' };
    expect(elsewhere.next()).toEqual({ kind: 'rest' });
    const counting = waiting();
    counting.report(report('a', 3, 'Absent'));
    counting.report(report('b', 3, 'Absent'));
    counting.snapshot = {
      ...counting.snapshot,
      awaiting: [],
      operation: { id: 'another', open: false, position: '1' },
    };
    expect(counting.next()).toEqual({ kind: 'rest' });
  });
});

describe('a successor that has ended without a word', () => {
  it('is missed once without harm, and lost when it is missed again (S4.4, look.2)', () => {
    const room = waiting();
    const [a] = look(room);
    room.miss(a!);
    expect(successor(room, 'a')).toMatchObject({ event: 'pending', missed: true });
    expect(room.snapshot.running).toBeUndefined();
    expect(room.pass() - room.snapshot.look!.since).toBe(30 * SECOND);
    room.miss(room.look()[0]!);
    expect(successor(room, 'a')).toMatchObject({
      event: 'settled',
      outcome: { lost: true, health: 'error', waiting: false, error: { code: 'lost' } },
    });
    expect(room.snapshot.running).toMatchObject({ action: 'fail', subscription: 'lost' });
  });

  it('is not missed twice when it has reported in between (S4.4, look.2)', () => {
    const room = waiting();
    room.miss(look(room)[0]!);
    room.report(report('a', 3, 'Clearing', { waiting: true }));
    room.miss(look(room)[0]!);
    expect(successor(room, 'a')?.outcome?.lost).toBeUndefined();
  });

  it('ends for the operation, together with what its loss sets off (S4.2, S4.4, look.2)', () => {
    const room = waiting();
    lose(room, 'a');
    const told = room.taken().filter(({ kind }) => kind === 'tell');
    const judgement = 'Box/a!order-a';
    expect(told).toMatchObject([
      {
        operation: 'furnish-id',
        message: {
          kind: 'ended',
          engagement: 'order-a',
          outcome: { lost: true, error: { code: 'lost' } },
          judgements: [{ id: judgement, by: 'Room/k' }],
        },
      },
      {
        operation: 'furnish-id',
        message: {
          kind: 'judged',
          judgements: [judgement],
          caused: [{ engagement: room.snapshot.engagements[0]!.id, on: 'Room/k' }],
        },
      },
    ]);
  });

  it('is the last word of one that rested for its own successors (S4.2, S4.4, look.2)', () => {
    const room = waiting();
    room.report(report('a', 3, 'Clearing', { waiting: true }));
    lose(room, 'a');
    expect(room.taken().find(({ kind }) => kind === 'tell')).toMatchObject({
      message: {
        engagement: 'order-a/lost',
        participant: { life: 'life-a' },
        outcome: { state: 'Clearing', version: 3, waiting: false, lost: true },
      },
    });
  });

  it('is lost at once when another life has its key and knows nothing of it (S4.4, look.2)', () => {
    const room = waiting();
    room.meetStranger(look(room)[0]!);
    expect(successor(room, 'a')?.outcome).toMatchObject({ lost: true, state: 'lost' });
    expect(room.snapshot.running?.action).toBe('fail');
  });

  it('is not lost by a look that was overtaken by its report (S4.4, receive.1)', () => {
    const room = waiting();
    const [a] = look(room);
    room.miss(a!);
    room.report(report('a', 3));
    room.miss(a!);
    room.meetStranger(a!);
    expect(successor(room, 'a')).toMatchObject({ event: 'settled', outcome: { state: 'Placed' } });
    expect(successor(room, 'a')?.outcome?.lost).toBeUndefined();
  });

  it('is not another one, nor lost for another life that had looked (S4.4)', () => {
    const room = waiting();
    const [a] = look(room);
    const before = room.snapshot;
    for (const message of [
      { ...a!, to: { type: 'Box', key: 'b' } },
      { ...a!, look: { ...a!.look, request: 'another' } },
    ]) {
      room.miss(message);
      room.meetStranger(message);
    }
    const late = { kind: 'stranger', from: { ...a!.to, life: 'x' }, toLife: 'life-0', request: 'order-a' } as const;
    room.apply(receiveStranger(Room, room.snapshot, late, room.now));
    expect(room.snapshot).toBe(before);
    room.miss(a!);
    expect(room.snapshot.successors.map(({ missed }) => missed)).toEqual([true, undefined]);
    expect(room.snapshot.look).toEqual({ since: room.now, count: 0 });
  });

  it('ends the event that it had accepted, and is told without a life where none is known (S4.2, S4.4)', () => {
    const room = waiting();
    const [a, b] = room.snapshot.successors;
    room.snapshot = { ...room.snapshot, successors: [{ ...a!, event: 'accepted' }, b!] };
    const [sent] = look(room);
    room.taken();
    room.meetStranger(sent!);
    expect(room.taken()).toMatchObject([
      {
        message: {
          kind: 'ended',
          engagement: 'order-a',
          event: 'lost',
          participant: { type: 'Box', key: 'a', life: '' },
        },
      },
      {},
    ]);
    expect(room.snapshot.look).toEqual({ since: room.now, count: 0 });
  });

  it('is told to whom an action waits, since that hears nothing else of it (S3.8, S4.4)', () => {
    const ended = (running: Partial<RunningAction>) => {
      const room = waiting();
      const [a] = look(room);
      room.taken();
      room.snapshot = { ...room.snapshot, running: { action: 'fail', kind: 'event', startedAt: 1, ...running } };
      room.meetStranger(a!);
      return room.taken()[0];
    };
    const wait = { wait: 'w', on: 'Box/a', until: 9, kind: 'event', engagement: 'order-a', event: 'place' } as const;
    const awaiter = { type: 'Room', key: 'k', life: 'life-1' };
    expect(ended({ awaits: [{ wait: 'v', on: 'Box/a', until: 9, kind: 'view' }, wait] })).toMatchObject({
      message: { awaiter },
    });
    for (const running of [{}, { awaits: [{ ...wait, engagement: 'another' }] }]) {
      expect(ended(running)).not.toHaveProperty('message.awaiter');
    }
  });

  it('is believed again when it reports after all (S4.4, look.3)', () => {
    const room = waiting();
    lose(room, 'a');
    room.throws('not ready for that');
    room.report(report('a', 3));
    expect(successor(room, 'a')).toMatchObject({ version: 3, outcome: { state: 'Placed' } });
    expect(successor(room, 'a')?.outcome?.lost).toBeUndefined();
  });

  it('starts afresh when it is created again (S3.3)', () => {
    const room = waiting();
    lose(room, 'a');
    room.end('Failed');
    room.raise('empty');
    room.end('Emptying');
    room.startAutomatic();
    room.end(undefined, { raises: [{ ...intent('a'), request: { id: 'again-a', event: 'place' } }] });
    expect(successor(room, 'a')).toMatchObject({ event: 'pending', request: 'again-a', version: 0 });
    expect(successor(room, 'a')?.outcome).toBeUndefined();
  });
});

describe('an entity that is looked after', () => {
  const from = { type: 'Room', key: 'k', life: 'life-room', judges: true };
  const ask = (more: Partial<Look> = {}): Look => ({ kind: 'look', from, request: 'place-id', ...more });

  /** A box that is being placed for a room. */
  function placing(): Puppet {
    const box = new Puppet(Box);
    box.raise('place', { label: 'x' }, { operation: 'furnish-id', from });
    box.end('Placing');
    box.startAutomatic();
    return box;
  }

  it('says nothing while the event is under way: that it was reached is enough (S4.4)', () => {
    const box = placing();
    expect(answerLook(Box, box.snapshot, ask())).toEqual([]);
    box.raise('relabel', { label: 'y' }, { from });
    // The action has ended, and the event that waited for it has not begun.
    box.end('Placed');
    expect(answerLook(Box, box.snapshot, ask({ request: 'relabel-id' }))).toEqual([]);
  });

  it('reports afresh when a report was lost, with the judgement that the operation waits for (S4.2, S4.4)', () => {
    const box = placing();
    box.end('Placed');
    const lost = box.taken().find((effect) => effect.kind === 'send');
    const answer = answerLook(Box, box.snapshot, ask());
    // Time has led to it. chain.2
    expect(answer).toEqual([{ ...lost, message: { ...lost?.message, chain: undefined } }]);
  });

  it('owes no judgement of an event whose place another operation has taken: its own may have ended (S4.2, S4.8)', () => {
    const job = new Puppet(Job);
    job.raise('start', undefined, { id: 'begin', operation: 'first', from });
    job.end('Working');
    job.raise('stop', undefined, { id: 'halt', operation: 'second' });
    job.end('Stopped');
    const answer = answerLook(Job, job.snapshot, ask({ request: 'begin' }));
    expect(answer).toMatchObject([{ message: { kind: 'report', ended: ['begin'], outcome: { state: 'Stopped' } } }]);
    expect(answer).not.toMatchObject([{ message: { judgement: expect.anything() } }]);
  });

  it('tells again that it has rejected the event, also while it works (S2.2, S4.4)', () => {
    const box = placing();
    box.taken();
    box.end('Placed');
    box.raise('place', { label: 'y' }, { id: 'second', operation: 'furnish-id', from });
    const lost = box.taken().findLast(({ kind }) => kind === 'send');
    expect(lost).toMatchObject({ message: { outcome: { rejection: { code: 'already_done' } } } });
    expect(answerLook(Box, box.snapshot, ask({ request: 'second' }))).toEqual([lost]);
    box.raise('relabel', { label: 'y' });
    expect(answerLook(Box, box.snapshot, ask({ request: 'second' }))).toEqual([lost]);
  });

  it('makes no watcher of one whose event it has rejected: that waits for nothing more (S2.2, S4.4, watchers.4)', () => {
    const box = placing();
    box.end('Placed');
    box.snapshot = { ...box.snapshot, watchers: [] };
    box.raise('place', { label: 'y' }, { id: 'second', operation: 'furnish-id', from });
    expect(watchAgain(box.snapshot, ask({ request: 'second' })).watchers).toEqual([]);
    expect(watchAgain(box.snapshot, ask()).watchers).toMatchObject([from]);
  });

  it('says nothing to who knows as much (S4.4)', () => {
    const box = placing();
    box.end('Placed');
    const { life, version } = box.snapshot;
    expect(answerLook(Box, box.snapshot, ask({ life, version }))).toEqual([]);
    expect(answerLook(Box, box.snapshot, ask({ life, version: version - 1 }))).toMatchObject([
      { message: { kind: 'report', version, outcome: { state: 'Placed' } } },
    ]);
  });

  it('of another life that knows nothing of the request says so (S4.4, look.2)', () => {
    const box = placing();
    const strange = ask({ request: 'of-another-life' });
    const answer = [{ to: { type: 'Room', key: 'k' }, message: { kind: 'stranger', toLife: 'life-room' } }];
    expect(answerLook(Box, box.snapshot, strange)).toMatchObject(answer);
    expect(answerLook(Box, box.snapshot, { ...strange, life: 'life-0' })).toMatchObject(answer);
  });

  it('of another life that takes the same request for its own means the one it was asked for (S1.3)', () => {
    const box = placing();
    box.end('Placed');
    // The life that asks for is another one, but the request was raised here.
    expect(answerLook(Box, box.snapshot, ask({ life: 'life-0' }))).toMatchObject([{ message: { kind: 'report' } }]);
    const { life } = box.snapshot;
    expect(answerLook(Box, box.snapshot, ask({ life, request: 'never-heard-of' }))).toMatchObject([
      { message: { kind: 'report', ended: ['never-heard-of'] } },
    ]);
  });

  it('reports where it stands by now, and owes the judgement of what had ended with the request (S4.2, S4.4)', () => {
    const box = placing();
    box.end('Placed');
    box.raise('break');
    box.throws('oops');
    box.taken();
    const { version } = box.snapshot;
    const report = (look: Look) =>
      answerLook(Box, box.snapshot, look).flatMap((effect) =>
        effect.kind === 'send' && effect.message.kind === 'report' ? [effect.message] : [],
      )[0];
    const judgement = { id: `Box/k#life-1@${version - 1}>Room/k`, operations: ['furnish-id'] };
    expect(report(ask())).toMatchObject({ version, outcome: { state: 'Placed', version }, judgement });
    expect(report(ask())?.outcome).not.toHaveProperty('error');
    const error = { code: 'oops' };
    expect(report(ask({ request: 'break-id' }))).toMatchObject({ outcome: { version, error } });
    expect(report(ask({ from: { ...from, judges: false } }))).not.toHaveProperty('judgement');
    // The report of that end was heard, so it was judged, and its operation may have ended.
    const { life } = box.snapshot;
    expect(report(ask({ life, version: version - 1 }))).not.toHaveProperty('judgement');
    expect(report(ask({ life, version: version - 2 }))).toMatchObject({ judgement });
    expect(report(ask({ life: 'life-0', version: version - 1 }))).toMatchObject({ judgement });
  });
});

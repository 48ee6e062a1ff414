import { describe, expect, it } from 'vitest';
import { awaitAt, endLeftAwaits, leaveAwaits, leftAt, travels } from '../../src/kernel/waits/awaits.js';
import { answerUndelivered, hearAnswer, operationOver } from '../../src/kernel/waits/hear-answer.js';
import { firstInquiries, inquire, nextInquiry } from '../../src/kernel/waits/inquire.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { View } from '../../src/protocol/reading.js';
import type { Report } from '../../src/protocol/report.js';
import type { Awaited, Engagement, Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Box', key: 'b', life: 'life of b' };
const to = { type: 'Box', key: 'b' };
const self = { type: 'Box', key: 'k', life: 'life-1' };
const outcome = { state: 'Placed', version: 3, health: 'normal', waiting: false } as const;

/** A wait on `Box/b`, which has begun at the time 0. */
const awaited = (kind: Awaited['kind'], wait: string, more: Partial<Awaited> = {}): Awaited =>
  ({
    ...{ kind, wait, on: 'Box/b', until: 100_000, engagement: `${wait}-event`, event: 'place', hold: 'action' },
    ...(kind !== 'view' && { inquiries: firstInquiries(0) }),
    ...more,
  }) as Awaited;

/** `Box/k`, whose action waits. */
const waiting = (...awaits: readonly Awaited[]): Snapshot => ({
  ...new Puppet(Box).snapshot,
  running: { action: 'a', kind: 'event', startedAt: 1, awaits },
});

const answers = ({ running }: Snapshot) => (running?.awaits ?? []).map(({ answer }) => answer);
const sent = (effects: ReturnType<typeof hearAnswer>['effects']) =>
  effects.map((effect) => (effect.kind === 'send' || effect.kind === 'tell' ? effect.message : effect));

const view = (wait: string, more: Partial<View> = {}): View => ({
  ...{ kind: 'view', from, toLife: 'life-1', wait },
  ...more,
});
const granted = { fence: 2, until: 9_000, life: 'life of b' };

describe('the answer to a wait (awaits.2)', () => {
  it('is the first one, of this life', () => {
    const snapshot = waiting(awaited('seal', 's'));
    const sealed = (toLife: string) => ({ kind: 'sealed', from, toLife, wait: 's' }) as EntityMessage;
    expect(hearAnswer(snapshot, sealed('life-0')).snapshot).toBe(snapshot);
    const { snapshot: heard } = hearAnswer(snapshot, sealed('life-1'));
    expect(answers(heard)).toEqual([{ kind: 'sealed' }]);
    const refusal = { ...sealed('life-1'), rejection: { code: 'no', message: '', entity: 'Box/b', event: 'place' } };
    expect(hearAnswer(heard, refusal as EntityMessage).snapshot).toBe(heard);
  });

  it('settles the waits for its events, and no others', () => {
    const snapshot = waiting(awaited('event', 'one'), awaited('event', 'two'), awaited('reservation', 'three'));
    const message = { kind: 'awaited', toLife: 'life-1', engagement: 'two-event', outcome } as const;
    const two = [undefined, { kind: 'outcome', outcome }, undefined];
    expect(answers(hearAnswer(snapshot, message).snapshot)).toEqual(two);
    const over = { kind: 'await', by: self, engagement: 'two-event', outcome } as const;
    expect(answers(operationOver(snapshot, over))).toEqual(two);
    expect(operationOver(snapshot, { ...over, kind: 'judged' } as never)).toBe(snapshot);
  });

  it('of a view is released where nobody waits for its reservation, and it is not held', () => {
    const snapshot = waiting(awaited('view', 'r'));
    expect(sent(hearAnswer(snapshot, view('other', { granted })).effects)).toEqual([
      { kind: 'release', wait: 'other' },
    ]);
    expect(hearAnswer(snapshot, view('other'))).toEqual({ snapshot, effects: [] });
    const held = {
      wait: 'other',
      operation: 'op',
      until: 9_000,
      hold: 'action',
      on: { ...to, fence: 2, life: 'l' },
    } as const;
    const holding = { ...snapshot, running: { ...snapshot.running!, holds: [held] } };
    expect(hearAnswer(holding, view('other', { granted })).effects).toEqual([]);
    expect(sent(hearAnswer(snapshot, view('r', { granted, toLife: 'life-0' })).effects)).toEqual([
      { kind: 'release', wait: 'r' },
    ]);
  });

  it('that grants a reservation probes for the other waits that go on (circle.3)', () => {
    const answered = { answer: { kind: 'outcome', outcome } } as const;
    const snapshot = waiting(awaited('reservation', 'r'), awaited('event', 'open'), awaited('event', 'done', answered));
    const { snapshot: heard, effects } = hearAnswer(snapshot, view('r', { granted }));
    expect(sent(effects)).toMatchObject([{ kind: 'probe', wait: 'open', round: 1 }]);
    expect(heard.running?.awaits?.map(({ inquiries }) => inquiries?.round)).toEqual([0, 1, 0]);
    expect(heard.running?.holds).toMatchObject([{ wait: 'r', until: 9_000 }]);
    expect(hearAnswer(snapshot, view('r')).effects).toEqual([]);
  });

  it('comes from the operation where the event had ended before, and was raised again', () => {
    const again: Report = {
      kind: 'report',
      from,
      toLife: 'life-1',
      version: 3,
      outcome,
      ended: ['one-event'],
      again: true,
    };
    const snapshot = waiting(awaited('event', 'one'), awaited('event', 'two'), awaited('seal', 'three'));
    expect(hearAnswer(snapshot, again)).toEqual({ snapshot, effects: [] });
    const engaged = { ...snapshot, engagements: [{ id: 'e', operation: 'own' } as Engagement] };
    const asked = { kind: 'await', by: self, engagement: 'one-event', outcome };
    expect(hearAnswer(engaged, again).effects).toEqual([{ kind: 'tell', operation: 'own', message: asked }]);
    expect(hearAnswer(engaged, { ...again, operation: 'other' }).effects).toMatchObject([{ operation: 'other' }]);
    expect(hearAnswer(snapshot, { ...again, operation: 'other' }).effects).toMatchObject([{ operation: 'other' }]);
  });

  it('is that nobody is there, where a message finds nobody', () => {
    const snapshot = waiting(awaited('seal', 's'), awaited('view', 'v'), awaited('event', 'e'));
    const undelivered = (message: object) => answers(answerUndelivered(snapshot, to, message as EntityMessage));
    const rejection = { code: 'reservation_ended', entity: 'Box/b', event: 'place' };
    expect(undelivered({ kind: 'seal', wait: 's', first: { id: 'x', event: 'place' } })).toMatchObject([
      { kind: 'sealed', rejection },
      ...[undefined, undefined],
    ]);
    expect(undelivered({ kind: 'read', wait: 'v' })).toEqual([undefined, { kind: 'view' }, undefined]);
    const [, , told] = undelivered({ kind: 'raise', key: 'b', request: { id: 'e-event', event: 'place' } });
    expect(told).toMatchObject({ kind: 'outcome', outcome: { rejection: { code: 'absent' } } });
    expect(undelivered({ kind: 'release', wait: 's' })).toEqual([undefined, undefined, undefined]);
  });
});

describe('a wait that an earlier run has left (awaits.4)', () => {
  const one = awaited('event', 'one', { place: { ask: 1 } });
  const again = awaited('event', 'again', { place: { ask: 1, part: 'again' } });
  const outside = awaited('event', 'outside');

  it('travels while it has a place and no answer', () => {
    expect(travels(one)).toBe(true);
    expect(travels({ ...one, answer: { kind: 'outcome', outcome } })).toBe(false);
    expect(travels(outside)).toBe(false);
  });

  it('is found at its place alone, and taken up once', () => {
    const snapshot = waiting(one, again, outside);
    expect(awaitAt(snapshot, { ask: 1 })).toBe(one);
    expect(awaitAt(snapshot, { ask: 1, part: 'again' })).toBe(again);
    expect([awaitAt(snapshot, { ask: 2 }), awaitAt(snapshot, { part: 'again' })]).toEqual([undefined, undefined]);
    expect(leftAt(snapshot, { ask: 1 })).toBeUndefined();
    const left = leaveAwaits(snapshot);
    expect(left.running?.awaits?.map(({ left: isLeft }) => isLeft)).toEqual([true, true, undefined]);
    expect(leftAt(left, { ask: 1 })).toEqual(one);
  });

  it('ends with the action, where its code has not taken it up', () => {
    const left = leaveAwaits(waiting(one, again));
    const taken = { ...left, running: { ...left.running!, awaits: [one, left.running!.awaits![1]!] } };
    const { snapshot, effects } = endLeftAwaits(taken);
    expect(snapshot.running?.awaits).toEqual([one]);
    expect(sent(effects)).toEqual([{ kind: 'withdraw', from: self, request: 'again-event' }]);
  });
});

describe('what is asked while a wait goes on (circle.1, S4.4)', () => {
  it('is due at growing distances: probes, and looks for events alone', () => {
    const event = awaited('event', 'e', { inquiries: { ...firstInquiries(0), lookAt: 2_000 } });
    expect(nextInquiry(event)).toBe(2_000);
    expect(nextInquiry({ ...event, kind: 'seal' } as Awaited)).toBe(5_000);
    expect(nextInquiry({ ...event, until: 1_000 })).toBe(1_000);
    expect(nextInquiry(awaited('view', 'v'))).toBe(100_000);
  });

  it('counts each question', () => {
    const event = awaited('event', 'e');
    const { inquiries } = event;
    const early = inquire(Box, waiting(event), event, 4_999);
    expect(early).toEqual({ snapshot: waiting(event), effects: [], awaited: event });
    const { snapshot, effects, awaited: asked } = inquire(Box, waiting(event), event, 5_000);
    expect(sent(effects)).toMatchObject([{ kind: 'probe', wait: 'e', round: 1 }]);
    expect(asked.inquiries).toEqual({ ...inquiries, round: 1, probes: 1, probeAt: 25_000 });
    expect(snapshot.running?.awaits).toEqual([asked]);

    const seal = awaited('seal', 's');
    const late = inquire(Box, waiting(seal), seal, 10_000_000).awaited.inquiries;
    expect(late).toMatchObject({ probes: 1, looks: 0 });
    expect(inquire(Box, waiting(event), event, 10_000_000).awaited.inquiries).toMatchObject({ probes: 1, looks: 1 });
    const read = awaited('view', 'v');
    expect(inquire(Box, waiting(read), read, 10_000_000)).toMatchObject({ effects: [], awaited: read });
  });
});

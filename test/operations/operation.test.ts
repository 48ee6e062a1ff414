import { describe, expect, it } from 'vitest';
import { operationRecord } from '../../src/operations/record.js';
import { OperationTracker } from '../../src/operations/tracker.js';
import type { OperationMessage } from '../../src/protocol/operation-message.js';
import { START, ended, heard, ref, start } from '../support/operation.js';

/** A parent that creates a child, rests for it, and is made ready by a subscription. */
const story: readonly OperationMessage[] = [
  ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }, { caused: { child: 'Child/c' } }),
  ended('child', 'Child/c', { version: 3 }, { judgements: { j1: 'Parent/p' } }),
  { kind: 'judged', judgements: ['j1'], caused: [{ engagement: 'subscription', on: 'Parent/p' }] },
  ended('subscription', 'Parent/p', { version: 3 }),
];

/** An event of another operation has taken the place of what was under way in this version. */
function cutShort(version: number): OperationMessage {
  const outcome = { state: 'Waiting', version, health: 'normal', waiting: false, canceled: true } as const;
  return { kind: 'interrupted', participant: ref('Parent/p'), by: 'other', outcome };
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('an operation', () => {
  it.each(permutations([0, 1, 2, 3]))(
    'ends after all of its messages and not before, in the order %i %i %i %i, also in a new run (S4.2, tracker.1, tracker.2)',
    (...order) => {
      let tracker = start();
      order.forEach((index, position) => {
        tracker.hear(story[index]!);
        // It goes on in a new run at any moment, and each message comes twice: neither does harm.
        tracker = new OperationTracker(
          JSON.parse(JSON.stringify(tracker.status())) as ReturnType<typeof tracker.status>,
        );
        tracker.hear(story[index]!);
        expect(tracker.done).toBe(position === order.length - 1);
      });
      expect(tracker.end(5)).toMatchObject({ outcome: 'success', endedAt: 5 });
    },
  );

  it('is not ended by what an earlier life of its root had told, and comes late (S4.4, tracker.6)', () => {
    const tracker = OperationTracker.start({ ...START, startedAt: 10 });
    tracker.hear({ ...ended('root', 'Parent/p'), at: 9 });
    expect(tracker.done).toBe(false);
    tracker.hear({ ...ended('root', 'Parent/p'), at: 10 });
    expect(tracker.done).toBe(true);
  });

  it('tells an action that waits without what another one judges later, and waits for that itself (S3.8, tracker.3)', () => {
    const later: OperationMessage = { kind: 'deferred', by: 'Other/o', judgements: ['j'] };
    const asked = ended('asked', 'Child/c', {}, { awaiter: 'Parent/p', judgements: { j: 'Other/o' } });
    for (const [first, second] of [
      [asked, later],
      [later, asked],
    ] as const) {
      const tracker = start();
      expect(tracker.hear(first)).toEqual([]);
      expect(tracker.hear(second)).toMatchObject([{ message: { kind: 'awaited', engagement: 'asked' } }]);
      tracker.hear(ended('root', 'Parent/p'));
      expect(tracker.done).toBe(false);
      tracker.hear({ kind: 'judged', judgements: ['j'], caused: [] });
      tracker.hear(later);
      expect(tracker.done).toBe(true);
    }
  });

  it('fails when a participant ends in an error state (S5.1)', () => {
    const tracker = heard(ended('root', 'Parent/p', { state: 'Failed', health: 'error' }));
    expect(tracker.done).toBe(true);
    const error = { entity: 'Parent/p', kind: 'needs_operator', code: 'error_state' };
    const status = tracker.end(1);
    expect(status).toMatchObject({ outcome: 'failed', errors: [error] });
    expect(operationRecord(status).summary).toMatch(/^Parent\/p: It has ended in Failed, which is an error state/);
  });

  it('fails when an error was not made good, even if its entity ended well (S5.1)', () => {
    const tracker = heard(
      ended('root', 'Parent/p', { error: { kind: 'retryable', code: 'oops', message: 'it broke' } }),
    );
    expect(tracker.end(1)).toMatchObject({ outcome: 'failed', errors: [{ entity: 'Parent/p', code: 'oops' }] });
  });

  it('keeps the last word of a participant, whatever the order (S4.4, tracker.2)', () => {
    const tracker = heard(
      ended('b', 'Child/c', { state: 'New', version: 5 }),
      ended('a', 'Child/c', { state: 'Old', version: 3 }),
    );
    expect(Object.values(tracker.status().participants)).toMatchObject([{ state: 'New', version: 5 }]);
  });

  it('ends when an event of another operation has moved the entity that it waited for (S4.8)', () => {
    const tracker = heard(ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }));
    expect(tracker.done).toBe(false);
    const outcome = { state: 'Deleted', version: 5, health: 'normal', waiting: false } as const;
    tracker.hear({ kind: 'moved', participant: ref('Parent/p'), outcome });
    expect(tracker.done).toBe(true);
  });

  it('tells the rejection of the event that opened it (S2.3)', () => {
    const rejection = { code: 'not_valid', message: 'no', entity: 'Parent/p', event: 'create' };
    const tracker = heard(ended('root', 'Parent/p', { rejection }));
    expect(tracker.done).toBe(true);
    expect(tracker.end(1)).toMatchObject({ outcome: 'failed', rejection: { code: 'not_valid' } });
  });

  it('is hung from the end of its budget until it ends (S5.3)', () => {
    const tracker = start();
    expect(tracker.hungAt).toBe(1_000);
    tracker.markHung();
    expect(tracker.status().hung).toBe(true);
    tracker.hear(ended('root', 'Parent/p'));
    expect(tracker.end(2_000)).toMatchObject({ hung: false, outcome: 'success' });
  });
});

describe('an action that waits for an event', () => {
  /** Parent/p, whose engagement `root` is open, waits for Child/c, which rests for Grandchild/g. */
  const waits = ended(
    'child',
    'Child/c',
    { state: 'Waiting', waiting: true, version: 2 },
    { caused: { grandchild: 'Grandchild/g' }, awaiter: 'Parent/p' },
  );
  const awaited = (state: string) => [
    {
      to: { type: 'Parent', key: 'p' },
      message: { kind: 'awaited', toLife: 'life of Parent/p', engagement: 'child', outcome: { state } },
    },
  ];

  it('is told when everything below has settled and been judged, with the last state (S4.2, tracker.3)', () => {
    const tracker = start();
    expect(tracker.hear(waits)).toEqual([]);
    expect(tracker.hear(ended('grandchild', 'Grandchild/g', {}, { judgements: { j: 'Child/c' } }))).toEqual([]);
    const judged = { kind: 'judged', judgements: ['j'], caused: [{ engagement: 'sub', on: 'Child/c' }] } as const;
    expect(tracker.hear(judged)).toEqual([]);
    expect(tracker.hear(ended('sub', 'Child/c', { state: 'Ready', version: 3 }))).toMatchObject(awaited('Ready'));
    expect(tracker.done).toBe(false);
  });

  it('does not wait for what it has itself to judge or to take after it (S4.2, tracker.3)', () => {
    const tracker = start();
    const settled = ended(
      'child',
      'Child/c',
      {},
      { caused: { back: 'Parent/p' }, judgements: { j: 'Parent/p' }, awaiter: 'Parent/p' },
    );
    expect(tracker.hear(settled)).toMatchObject(awaited('Ready'));
  });

  it('is told when what it waits for was lost (S4.4, tracker.4)', () => {
    const tracker = heard(waits);
    const inquiries = tracker.inquiries();
    expect(inquiries.map(({ to }) => to.type).sort()).toEqual(['Child', 'Grandchild', 'Parent']);
    const missed = (looks: ReturnType<typeof tracker.inquiries>) =>
      looks.filter(({ to }) => to.type !== 'Parent').flatMap((inquiry) => tracker.missed(inquiry));
    expect(missed(inquiries)).toEqual([]);
    expect(missed(tracker.inquiries())).toMatchObject(awaited('Waiting'));
    expect(
      tracker
        .status()
        .errors.map(({ entity, code }) => `${entity} ${code}`)
        .sort(),
    ).toEqual(['Child/c lost', 'Grandchild/g lost']);
  });
});

describe('a participant that says nothing', () => {
  it('is lost when it knows nothing of the event, by two looks in a row, and believed if it speaks after all (S4.4, tracker.2, tracker.4)', () => {
    const tracker = start();
    const unknown = {
      kind: 'unknown',
      participant: ref('Parent/p'),
      engagements: ['root'],
      judgements: [],
      anotherLife: false,
    } as const;
    tracker.hear({ ...unknown, round: 1 });
    // The same look heard of twice is one.
    tracker.hear({ ...unknown, round: 1 });
    expect(tracker.done).toBe(false);
    tracker.hear({ ...unknown, round: 2 });
    expect(tracker.done).toBe(true);
    tracker.hear(ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }));
    expect(tracker.done).toBe(false);
    tracker.hear(ended('child', 'Child/c'));
    expect(tracker.end(1)).toMatchObject({ outcome: 'success', errors: [] });
  });
});

describe('a watcher that says nothing', () => {
  it('is asked for its judgements, and those of which it knows nothing are not waited for (S4.4, tracker.4)', () => {
    const tracker = heard(ended('root', 'Parent/p'), ended('child', 'Child/c', {}, { judgements: { j: 'Parent/p' } }));
    for (const round of [1, 2]) {
      expect(tracker.done).toBe(false);
      const [inquiry] = tracker.inquiries();
      expect(inquiry).toMatchObject({ to: { type: 'Parent' }, message: { engagements: [], judgements: ['j'], round } });
      const unknown = { kind: 'unknown', engagements: [], judgements: ['j'], anotherLife: false } as const;
      tracker.hear({ ...unknown, participant: ref('Parent/p'), round });
    }
    expect(tracker.done).toBe(true);
    expect(tracker.end(1)).toMatchObject({ outcome: 'success', errors: [] });
  });
});

describe('a request to cancel', () => {
  it('asks those who have not settled, once, and is honoured by one that takes it (S4.7)', () => {
    const tracker = heard(story[0]!);
    const asked = tracker.hear({ kind: 'cancel' });
    expect(asked.map(({ to, message }) => [to.type, message.kind])).toEqual([
      ['Child', 'cancel'],
      ['Parent', 'cancel'],
    ]);
    expect(tracker.hear({ kind: 'cancel' })).toEqual([]);
    const refusal = { code: 'not_cancelable', message: 'no', entity: 'Child/c', event: 'cancel' };
    tracker.hear(ended('op/cancel/Child/c', 'Child/c', { rejection: refusal }));
    expect(tracker.status().cancel).toBe('requested');
    tracker.hear(ended('op/cancel/Parent/p', 'Parent/p', { state: 'Absent', version: 4 }));
    expect(tracker.done).toBe(false);
    tracker.hear(ended('child', 'Child/c'));
    expect(tracker.done).toBe(true);
    expect(tracker.end(1)).toMatchObject({ outcome: 'canceled', cancel: 'honoured' });
  });

  const refusal = { code: 'not_cancelable', message: 'no', entity: 'Child/c', event: 'cancel' };
  const refused = (engagement: string, entity: string, at: number) => ({
    ...ended(engagement, entity, { rejection: { ...refusal, entity } }),
    ...{ event: 'cancel', at },
  });
  const toldBy = (entity: string, at: number) => ({
    entity,
    event: 'cancel',
    code: 'not_cancelable',
    message: 'no',
    at,
  });

  it('is refused when all that were asked have refused, and shows by whom, why and when (S4.7)', () => {
    const tracker = heard(story[0]!, { kind: 'cancel' }, refused('op/cancel/Child/c', 'Child/c', 5));
    expect(tracker.status()).toMatchObject({ cancel: 'requested', refusals: [toldBy('Child/c', 5)] });
    tracker.hear(refused('op/cancel/Parent/p', 'Parent/p', 6));
    const both = { cancel: 'refused', refusals: [toldBy('Child/c', 5), toldBy('Parent/p', 6)] };
    expect(tracker.status()).toMatchObject(both);
    expect(new OperationTracker(tracker.status()).status()).toStrictEqual(tracker.status());
    tracker.hear(ended('child', 'Child/c'));
    tracker.hear({ ...ended('more', 'Parent/p', { version: 5 }) });
    expect(tracker.end(9)).toMatchObject({ ...both, outcome: 'success', errors: [] });
  });

  it('asks those again that refused, each under an id of its own, and is honoured by one that takes it then (S4.7)', () => {
    const tracker = heard(story[0]!, { kind: 'cancel' }, refused('op/cancel/Child/c', 'Child/c', 5));
    const again = tracker.hear({ kind: 'cancel' });
    // The parent has not answered yet, and what it causes may be the answer.
    expect(again).toEqual([
      {
        to: { type: 'Child', key: 'c' },
        message: { kind: 'cancel', operation: 'op', engagement: 'op/cancel/2/Child/c' },
      },
    ]);
    expect(tracker.status()).toMatchObject({ cancel: 'requested' });
    expect(tracker.status().refusals).toBeUndefined();
    expect(tracker.hear({ kind: 'cancel' })).toEqual([]);
    tracker.hear(ended('op/cancel/2/Child/c', 'Child/c', { state: 'Stopped', version: 8 }));
    expect(tracker.status().cancel).toBe('honoured');
    tracker.hear(refused('op/cancel/Parent/p', 'Parent/p', 7));
    expect(tracker.status()).toMatchObject({ cancel: 'honoured', refusals: [toldBy('Parent/p', 7)] });
  });

  it('asks all that have not settled when all have refused, also those that came since (S4.7)', () => {
    const tracker = heard(
      ...[story[0]!, { kind: 'cancel' } as const],
      ...[refused('op/cancel/Child/c', 'Child/c', 5), refused('op/cancel/Parent/p', 'Parent/p', 5)],
      ended('child', 'Child/c', {}, { caused: { grandchild: 'Child/d' } }),
    );
    const asked = tracker.hear({ kind: 'cancel' }).map(({ message }) => 'engagement' in message && message.engagement);
    expect(asked).toEqual(['op/cancel/Child/d', 'op/cancel/2/Parent/p']);
    expect(tracker.status().cancel).toBe('requested');
  });

  it('is refused by those that have answered where another one asked is not there (S4.7)', () => {
    const tracker = heard(story[0]!);
    const [child] = tracker.hear({ kind: 'cancel' });
    tracker.hear(refused('op/cancel/Parent/p', 'Parent/p', 5));
    tracker.missed(child!);
    expect(tracker.status()).toMatchObject({ cancel: 'refused', refusals: [toldBy('Parent/p', 5)] });
  });
});

describe('an operation whose entity takes an event of another one', () => {
  it('goes on, or ends canceled, as the event is declared (S4.8)', () => {
    const tracker = heard(ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }));
    tracker.hear({ kind: 'interrupted', participant: ref('Parent/p'), by: 'other' });
    expect(tracker.done).toBe(false);
    expect(tracker.status().interruptions).toEqual([{ entity: 'Parent/p', by: 'other', ends: false }]);

    const canceled = heard(ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }), cutShort(2));
    expect(canceled.done).toBe(true);
    expect(canceled.end(1).outcome).toBe('canceled');
  });

  it('and waits no more for what was cut short, in whatever order that is heard (S4.4, S4.8)', () => {
    const rests = { state: 'Waiting', version: 2, health: 'normal', waiting: true } as const;
    const moved = { kind: 'moved', participant: ref('Parent/p'), outcome: rests } as const;
    const root = ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 1 });
    for (const order of permutations([root, moved, moved, cutShort(2)])) expect(heard(...order).done).toBe(true);
  });

  it('and is cut short by a later event of an operation that has come before (S4.8)', () => {
    const polite: OperationMessage = { kind: 'interrupted', participant: ref('Parent/p'), by: 'other' };
    const root = ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 1 });
    for (const order of permutations([polite, cutShort(2), polite])) {
      const tracker = heard(root, ...order);
      expect(tracker.done).toBe(true);
      expect(tracker.status().interruptions).toEqual([{ entity: 'Parent/p', by: 'other', ends: true }]);
    }
  });

  it('and waits again for what rests after it was cut short (S4.8)', () => {
    const root = ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 1 });
    const again = ended('again', 'Parent/p', { state: 'Waiting', waiting: true, version: 3 });
    for (const order of permutations([root, cutShort(1), again])) expect(heard(...order).done).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { explainOperation } from '../../src/operations/explain.js';
import { OperationTracker } from '../../src/operations/tracker.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { LivingRef } from '../../src/protocol/refs.js';

const living = (type: string): LivingRef => ({ type, key: 'x', life: `life-${type}` });
const outcome = (more: Partial<EngagementOutcome> = {}): EngagementOutcome => ({
  ...{ state: 'Ready', version: 1, health: 'normal', waiting: false },
  ...more,
});

/** An operation on a room, which has ordered two boxes. */
function operation(): OperationTracker {
  const root = { type: 'Room', key: 'x', engagement: 'op', event: 'furnish' };
  const start = { kind: 'start', id: 'op', name: 'furnish Room/x', dimensions: {}, startedAt: 1_000 } as const;
  return OperationTracker.start({ ...start, root, budgetMs: 5_000 });
}

function ended(tracker: OperationTracker, type: string, engagement: string, more: object = {}): void {
  const message = { kind: 'ended', engagement, participant: living(type), event: 'e', outcome: outcome() } as const;
  tracker.hear({ ...message, caused: [], judgements: [], ...more });
}

describe('what an operation waits for (S5.4)', () => {
  it('is the event that opened it, at first (S5.4)', () => {
    expect(explainOperation(operation().status())).toEqual({
      ...{ id: 'op', name: 'furnish Room/x', outcome: 'running', startedAt: 1_000, budgetMs: 5_000 },
      ...{ hung: false, cancel: 'none', interruptions: [], errors: [], participants: 0, waitingRaises: [] },
      open: [{ entity: 'Room/x', events: ['op'], judgements: 0 }],
    });
  });

  it('is who rests for its successors, owes an event or a judgement; not who has settled (S5.4)', () => {
    const tracker = operation();
    const caused = [
      { engagement: 'a', on: 'Box/x' },
      { engagement: 'b', on: 'Lamp/x' },
    ];
    ended(tracker, 'Room', 'op', { outcome: outcome({ state: 'Waiting', waiting: true }), caused });
    ended(tracker, 'Box', 'a', { judgements: [{ id: 'j', by: 'Room/x' }] });
    expect(explainOperation(tracker.status())).toMatchObject({
      participants: 2,
      open: [
        { entity: 'Room/x', events: [], judgements: 1, waiting: 'Waiting' },
        { entity: 'Lamp/x', events: ['b'], judgements: 0 },
      ],
    });
  });

  it('names the actions that wait for all that their events have set off (S5.4)', () => {
    const tracker = operation();
    const caused = [{ engagement: 'b', on: 'Box/x' }];
    tracker.hear({
      ...{ kind: 'ended', engagement: 'a', participant: living('Shelf'), event: 'e', outcome: outcome() },
      ...{ caused, judgements: [], awaiter: living('Room') },
    });
    const { waitingRaises, open } = explainOperation(tracker.status());
    expect(waitingRaises).toEqual([{ by: 'Room/x', on: 'Shelf/x' }]);
    expect(open.map(({ entity }) => entity)).toEqual(['Room/x', 'Box/x']);
  });

  it('says that it is hung, and to be cancelled (S5.4)', () => {
    const tracker = operation();
    tracker.markHung();
    tracker.hear({ kind: 'cancel' });
    expect(explainOperation(tracker.status())).toMatchObject({
      ...{ hung: true, cancel: 'requested' },
      open: [{ entity: 'Room/x', events: ['op', expect.stringContaining('cancel')] }],
    });
  });

  it('is nothing of one that has ended, and leaves out what is not known (S5.4)', () => {
    const root = { type: 'Room', key: 'x', engagement: 'op', event: 'furnish' };
    const tracker = OperationTracker.start({ kind: 'start', id: 'op', name: 'n', dimensions: {}, startedAt: 1, root });
    const known = { id: 'op', name: 'n', startedAt: 1, hung: false, cancel: 'none', interruptions: [], errors: [] };
    const open = [{ entity: 'Room/x', events: ['op'], judgements: 0 }];
    expect(explainOperation(tracker.status())).toStrictEqual({
      ...{ ...known, outcome: 'running', participants: 0, open, waitingRaises: [] },
    });
    ended(tracker, 'Room', 'op', { outcome: outcome({ state: 'Waiting', waiting: true }) });
    expect(explainOperation(tracker.status()).open).toStrictEqual([
      { entity: 'Room/x', events: [], judgements: 0, waiting: 'Waiting' },
    ]);
    tracker.hear({ kind: 'moved', participant: living('Room'), outcome: outcome({ version: 2 }) });
    expect(explainOperation(tracker.end(9))).toStrictEqual({
      ...{ ...known, outcome: 'success', participants: 1, open: [], waitingRaises: [], endedAt: 9 },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { endOperation, hear, isDone, startOperation } from '../../src/operations/operation.js';
import type { EngagementOutcome, OperationMessage } from '../../src/protocol/messages.js';

const start = startOperation({
  kind: 'start',
  id: 'op',
  name: 'create Parent/p',
  root: { type: 'Parent', key: 'p', engagement: 'root', event: 'create' },
  startedAt: 0,
});

function ended(
  engagement: string,
  entity: string,
  outcome: Partial<EngagementOutcome> = {},
  more: { caused?: string[]; judgements?: string[] } = {},
): OperationMessage {
  const [type, key] = entity.split('/') as [string, string];
  return {
    kind: 'ended',
    engagement,
    participant: { type, key, life: `life of ${entity}` },
    event: 'e',
    outcome: { state: 'Ready', version: 1, health: 'normal', waiting: false, ...outcome },
    caused: [],
    judgements: [],
    ...more,
  };
}

/** A parent that creates a child, rests for it, and is made ready by a subscription. */
const story: readonly OperationMessage[] = [
  ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }, { caused: ['child'] }),
  ended('child', 'Child/c', { version: 3 }, { judgements: ['j1'] }),
  { kind: 'judged', judgements: ['j1'], caused: ['subscription'] },
  ended('subscription', 'Parent/p', { version: 3 }),
];

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('an operation', () => {
  it.each(permutations([0, 1, 2, 3]))(
    'ends after all of its messages and not before, in the order %i %i %i %i (S4.2, P1, P2)',
    (...order) => {
      let status = start;
      order.forEach((index, position) => {
        status = hear(status, story[index]!);
        // Each message twice: doubled ones do no harm.
        status = hear(status, story[index]!);
        expect(isDone(status)).toBe(position === order.length - 1);
      });
      expect(endOperation(status, 5)).toMatchObject({ outcome: 'success', endedAt: 5 });
    },
  );

  it('fails when a participant ends in an error state (S5.1)', () => {
    const status = hear(start, ended('root', 'Parent/p', { state: 'Failed', health: 'error' }));
    expect(isDone(status)).toBe(true);
    expect(endOperation(status, 1).outcome).toBe('failed');
  });

  it('fails when an error was not made good, even if its entity ended well (S5.1)', () => {
    const status = hear(start, ended('root', 'Parent/p', { error: { code: 'oops', message: 'it broke' } }));
    expect(endOperation(status, 1)).toMatchObject({
      outcome: 'failed',
      errors: [{ entity: 'Parent/p', code: 'oops' }],
    });
  });

  it('keeps the last word of a participant, whatever the order (S4.4, P2)', () => {
    const later = hear(start, ended('b', 'Child/c', { state: 'New', version: 5 }));
    const both = hear(later, ended('a', 'Child/c', { state: 'Old', version: 3 }));
    expect(Object.values(both.participants)).toMatchObject([{ state: 'New', version: 5 }]);
  });

  it('ends when an event of another operation has moved the entity that it waited for (S4.8)', () => {
    const waiting = hear(start, ended('root', 'Parent/p', { state: 'Waiting', waiting: true, version: 2 }));
    expect(isDone(waiting)).toBe(false);
    const participant = { type: 'Parent', key: 'p', life: 'life of Parent/p' };
    const outcome = { state: 'Deleted', version: 5, health: 'normal', waiting: false } as const;
    expect(isDone(hear(waiting, { kind: 'moved', participant, outcome }))).toBe(true);
  });

  it('tells the rejection of the event that opened it (S2.3)', () => {
    const rejection = { code: 'not_valid', message: 'no', entity: 'Parent/p', event: 'create' };
    const status = hear(start, ended('root', 'Parent/p', { rejection }));
    expect(isDone(status)).toBe(true);
    expect(endOperation(status, 1)).toMatchObject({ outcome: 'failed', rejection: { code: 'not_valid' } });
  });
});

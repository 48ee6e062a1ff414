import { describe, expect, it } from 'vitest';
import { workedMs, withLanes } from '../../src/client/distributed.js';
import type { InstanceReading } from '../../src/distributed/index.js';

const reading: InstanceReading = {
  ...{ target: 'field', type: 'sow', instance: 1, phase: 'running', paused: false, pausedMs: 0, atOnce: 2 },
  ...{ jobs: { all: 4, succeeded: 1, failed: 0, running: 2 }, troubles: [], retries: [], startedAt: 1 },
  lanes: [
    { number: 1, place: 'east', partitions: '0-1' },
    { number: 2, place: 'west', partitions: '2' },
  ],
};

describe('how much of an operation over partitions is done (I1)', () => {
  it('counts what its executors say of their jobs', () => {
    const { lanes, done } = withLanes(reading, [{ number: 2, place: 'west', ended: 1 }]);
    expect(lanes).toMatchObject([{ place: 'east' }, { place: 'west', ended: 1 }]);
    expect(lanes[0]).not.toHaveProperty('ended');
    expect(done).toBe(0.5);
  });

  it('is all of it where it has succeeded, and no more than its jobs where it was cancelled or has failed', () => {
    const ended = { ...reading, phase: 'ended', lanes: [], endedAt: 9 } as const;
    expect(withLanes({ ...ended, outcome: 'succeeded' }, []).done).toBe(1);
    expect(withLanes({ ...ended, outcome: 'cancelled' }, []).done).toBe(0.25);
    expect(withLanes({ ...ended, outcome: 'failed' }, []).done).toBe(0.25);
  });
});

describe('the estimated end of an operation over partitions (I1)', () => {
  const working = { ...withLanes(reading, [{ number: 1, place: 'east', ended: 0 }]), startedAt: 1_000, pausedMs: 500 };

  it('is told from the time in which it has worked', () => {
    expect(workedMs(working, 3_000)).toBe(1_500);
  });

  it.each([
    ['it is paused', { paused: true }],
    ['it is being cancelled', { phase: 'stopping' }],
    ['each of its lanes waits for an executor', { lanes: reading.lanes }],
    ['a part of its jobs waits for a lock', { blocked: [{ kind: 'lock', partitions: '1', message: 'It waits.' }] }],
  ] as const)('is not told while %s', (_, standing) => {
    expect(workedMs({ ...working, ...standing }, 3_000)).toBeUndefined();
  });
});

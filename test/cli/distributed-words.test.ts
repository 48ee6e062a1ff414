import { expect, it } from 'vitest';
import type { DistributedOperation } from '../../src/cli/api/distributed.js';
import { distributedLines } from '../../src/cli/distributed-words.js';
import { distributedState, operationState } from '../../src/cli/explanation/distributed-state.js';

const TIME = '2026-11-29T05:28:18.000Z';
const read: DistributedOperation = {
  ...{ name: 'orders/buildIndex/1', target: 'orders', type: 'buildIndex', instance: 1, object: null, request_id: null },
  ...{ state: 'running', outcome: null, reason: null, paused_ms: 0, at_once: 8, done: 0, estimated_end_time: null },
  ...{ jobs: { all: 4, succeeded: 0, failed: 0, running: 1 }, lanes: [], troubles: [], failures: [], retries: [] },
  ...{ blocked: [], start_time: TIME, end_time: null, reported_time: TIME, stale: false },
};

it('names a process that holds a lock once, and one partition as one (I5)', () => {
  const at = { kind: 'lock', place: 'east', since_time: null } as const;
  const blocked = [
    { ...at, partitions: '0', message: 'Held by postgres (pid 29584).', pids: [29584] },
    { ...at, partitions: '1-2', message: 'Held.', pids: [7, 8] },
  ];
  const lines = distributedLines({ ...read, blocked }, { now: Date.parse(TIME), utc: true }).join('\n');
  expect(lines).toContain('  partition 0 waits: Held by postgres (pid 29584).');
  expect(lines).not.toContain('(pid 29584). (pid');
  expect(lines).toContain('  partitions 1-2 wait: Held. (pids 7, 8)');
});

it('names the partitions of a lane, of which there may be one (I5)', () => {
  const lane = { number: 1, place: 'east', partitions: '7', ended: 0 };
  const lanes = [lane, { ...lane, partitions: '1,9' }] as unknown as DistributedOperation['lanes'];
  const lines = distributedLines({ ...read, lanes }, { now: Date.parse(TIME), utc: true });
  expect(lines).toContain('  east: partition 7, 0 ended');
  expect(lines).toContain('  east: partitions 1,9, 0 ended');
});

it('says that an operation with an outcome has yet to end (I5)', () => {
  expect(distributedState('running', null)).toBe('running');
  expect(distributedState('tidying', 'succeeded')).toBe('succeeded, cleaning up');
  expect(distributedState('stopping', 'cancelled')).toBe('canceled, stopping');
  expect(distributedState('ended', 'cancelled')).toBe('canceled');
  expect(distributedState(null, 'succeeded')).toBe('succeeded');
});

it('says the same of its operation, as the lists of operations show it (I5)', () => {
  const running = { workflow_end_time: null, outcome: null };
  const over = (state: string, outcome?: string) =>
    operationState({
      ...{ ...running, '@reeve.instance_state': state },
      ...(outcome !== undefined && { '@reeve.instance_outcome': outcome }),
    });
  expect(operationState(running)).toBe('running');
  expect(operationState({ ...running, outcome: 'hung' })).toBe('hung');
  expect(over('paused')).toBe('paused');
  expect(over('tidying', 'failed')).toBe('failed, cleaning up');
  expect(operationState({ workflow_end_time: TIME, outcome: 'success', '@reeve.instance_state': 'ended' })).toBe(
    'success',
  );
});

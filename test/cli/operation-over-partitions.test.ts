import { afterEach, expect, it, vi } from 'vitest';
import type { Api } from '../../src/cli/api/api.js';
import { distributedOf, type OperationRepresentation } from '../../src/cli/api/operation.js';
import { followToEnd } from '../../src/cli/commands/operations/follow.js';

const part = { state: 'running', version: 3, health: 'normal', waiting: false, lost: false } as const;
const operation = {
  ...{ request_id: 'r', name: 'sow distributed/farm/north', outcome: 'running' },
  participants: [{ ...part, entity: 'distributed/farm/north/sow/3' }],
} as unknown as OperationRepresentation;

afterEach(() => vi.restoreAllMocks());

it('an operation over partitions names what it is, and others do not (S4.7, I8)', () => {
  expect(distributedOf(operation)).toBe('farm/north/sow/3');
  for (const entity of ['Box/sow/3', 'distributed/farm', 'distributed/'])
    expect(distributedOf({ participants: [{ ...part, entity }] })).toBeUndefined();
  expect(distributedOf({ participants: [] })).toBeUndefined();
});

it.each([
  ['succeeded', 'success', 0],
  ['failed', 'success', 1],
  ['cancelled', 'success', 1],
  ['cancelled', 'canceled', 0],
  ['succeeded', 'canceled', 1],
] as const)('one that ends as %s is followed to that, and where %s is wanted gives exit code %i', async (...row) => {
  const [outcome, wanted, code] = row;
  const followed: string[] = [];
  const at = '2026-01-01T00:00:00.000Z';
  const api = {
    async *follow(path: string) {
      followed.push(path);
      const read = { name: 'farm/north/sow/3', start_time: at, reported_time: at, paused_ms: 0, reason: null };
      yield {
        data: { ...read, state: 'ended', outcome, done: 1, jobs: { all: 1, succeeded: 1, failed: 0 }, end_time: at },
      };
    },
  } as unknown as Api;
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await followToEnd(api, '/api/operations/r', operation, { wanted })).toBe(code);
  expect(followed).toEqual(['/api/distributed/farm%2Fnorth%2Fsow%2F3/change-stream']);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('farm/north/sow/3'));
});

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { refusedSince } from '../../src/cli/commands/operations/cancel.js';
import { formatOutcome } from '../../src/cli/output.js';
import { exitOf } from '../../src/cli/take.js';

const rejection = { code: 'not_ready', message: 'Wait until it is ready.' };

it.each([
  ['success', null, 'success', 0],
  ['failed', null, 'success', 1],
  ['canceled', null, 'success', 1],
  ['failed', rejection, 'success', 2],
  ['canceled', null, 'canceled', 0],
  ['success', null, 'canceled', 1],
  ['failed', null, 'canceled', 1],
  ['failed', rejection, 'canceled', 2],
] as const)(
  'an operation that ended as %s, with rejection %o, where %s is wanted, gives exit code %i (S4.7)',
  (...row) => {
    const [outcome, refused, wanted, code] = row;
    expect(exitOf({ outcome, rejection: refused }, wanted)).toBe(code);
  },
);

describe('an operation that is followed to see it canceled (S4.7)', () => {
  const refusal = {
    ...{ entity: 'Box/a', event: 'stop', code: 'not_valid', message: 'It cannot stop now.' },
    time: '2026-11-21T14:03:00.000Z',
  };
  const running = { outcome: 'running', cancel: 'requested', cancel_refusals: [] } as const;

  it('is followed until all that were asked have refused, whoever has refused before', () => {
    const seen = { ...running, cancel_refusals: [refusal] };
    expect(refusedSince([])(running)).toBe(false);
    expect(refusedSince([])(seen)).toBe(false);
    expect(refusedSince([])({ ...seen, cancel: 'refused' })).toBe(true);
    expect(refusedSince([refusal])({ ...seen, cancel: 'refused' })).toBe(false);
    const again = { ...refusal, time: '2026-11-21T14:04:00.000Z' };
    expect(refusedSince([refusal])({ ...seen, cancel: 'refused', cancel_refusals: [again] })).toBe(true);
    expect(refusedSince([])({ ...seen, outcome: 'success' })).toBe(false);
  });

  it('gives exit code 2 then, and names who has refused, why, and the next step', () => {
    expect(exitOf({ outcome: 'running', rejection: null }, 'canceled')).toBe(2);
    const operation = {
      ...{ request_id: 'r', name: 'place Box/a', outcome: 'running', cancel: 'refused', cancel_refusals: [refusal] },
      ...{ workflow_start_time: null, workflow_end_time: null, errors: [], rejection: null, participants: [] },
    } as unknown as Parameters<typeof formatOutcome>[0];
    expect(stripVTControlCharacters(formatOutcome(operation, '')).split('\n')).toEqual([
      'place Box/a: running, cancel refused',
      '  Box/a, stop: not_valid: It cannot stop now.',
      "  it continues; 'reeve operations explain r' shows what it waits for",
    ]);
  });
});

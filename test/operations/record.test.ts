import { describe, expect, it } from 'vitest';
import { immediateResult } from '../../src/operations/immediate-result.js';
import { operationRecord } from '../../src/operations/record.js';
import { resultOf } from '../../src/operations/result.js';
import type { OperationError } from '../../src/operations/status.js';
import { ended, heard, start } from '../support/operation.js';

const rejection = { code: 'not_valid', message: 'not now', entity: 'Parent/p', event: 'create' };
const error = (entity: string): OperationError => ({
  ...{ kind: 'retryable', code: `code-${entity}`, message: `${entity} broke`, stack: 'at' },
  ...{ entity, event: 'e', engagement: entity },
});

describe('what the store is told of an operation (S5.1)', () => {
  const base = {
    kind: 'operation',
    id: 'op',
    name: 'create Parent/p',
    startedAt: 0,
    restarts: 0,
    dimensions: {},
    answeredAt: 0,
  };

  it('is how far it is: running, hung, or ended', () => {
    const tracker = start();
    expect(operationRecord(tracker.status())).toStrictEqual({ ...base, outcome: 'running' });
    tracker.markHung();
    expect(operationRecord(tracker.status())).toStrictEqual({ ...base, outcome: 'hung' });
    tracker.hear(ended('root', 'Parent/p'));
    expect(operationRecord(tracker.end(5))).toStrictEqual({ ...base, outcome: 'success', endedAt: 5 });
  });

  it('sums up the errors of its participants, or tells why the event was rejected', () => {
    const { error: sum } = operationRecord(heard(ended('root', 'Parent/p', { rejection })).status());
    expect(sum).toStrictEqual({ kind: 'rejected', code: 'not_valid', message: 'not now' });
    const recordOf = (...entities: readonly string[]) =>
      operationRecord({ ...start().status(), errors: entities.map(error) });
    expect(recordOf().error).toBeUndefined();
    // The cause, by which it is counted, has no key.
    expect(recordOf('a', 'b').error).toStrictEqual({ kind: 'retryable', code: 'code-a', message: 'a broke' });
    expect(recordOf('a').summary).toBe('a: a broke');
    expect(recordOf('a', 'b').summary).toBe('2 errors. a: a broke; b: b broke');
    expect(recordOf('a', 'b', 'c').summary).toBe('3 errors. a: a broke; b: b broke; c: c broke');
    expect(recordOf('a', 'b', 'c', 'd').summary).toBe('4 errors. a: a broke; b: b broke; c: c broke; and 1 more');
  });

  it('tells an error once that several entities share', () => {
    const shared = (entity: string): OperationError => ({ ...error(entity), code: 'down', message: 'it is down' });
    const summaryOf = (...errors: readonly OperationError[]) =>
      operationRecord({ ...start().status(), errors }).summary;
    expect(summaryOf(shared('a'), shared('b'))).toBe('2 errors. a, b: it is down');
    expect(summaryOf(shared('a'), shared('a'))).toBe('2 errors. a: it is down');
    expect(summaryOf(shared('a'), error('b'), shared('c'))).toBe('3 errors. a, c: it is down; b: b broke');
    expect(summaryOf(...['a', 'b', 'c', 'd', 'e'].map(shared))).toBe('5 errors. a, b, c and 2 more: it is down');
    expect(summaryOf(...['a', 'b', 'c'].map(error), shared('d'), shared('e'))).toBe(
      '5 errors. a: a broke; b: b broke; c: c broke; and 2 more',
    );
  });
});

describe('the result of an operation (S4.7)', () => {
  it('is there once it has ended', () => {
    const tracker = heard(ended('root', 'Parent/p', { rejection }));
    expect(() => resultOf(tracker.status())).toThrow('The operation op has not ended.');
    const status = tracker.end(5);
    const { id, name, root, dimensions, startedAt } = status;
    const described = { id, name, root, dimensions, startedAt, endedAt: 5 };
    expect(resultOf(status)).toStrictEqual({
      ...described,
      outcome: 'failed',
      participants: [],
      errors: [],
      rejection,
    });
    const good = heard(ended('root', 'Parent/p')).end(5);
    expect(resultOf(good)).toStrictEqual({
      ...described,
      ...{ outcome: 'success', participants: Object.values(good.participants), errors: [] },
    });
  });

  it('of an event that has settled at once says the same without an operation', () => {
    const entity = { type: 'Parent', key: 'p' };
    const answer = { status: 'accepted', operation: 'op' } as const;
    const taken = { entity, event: 'create', requestId: 'root', answer };
    const outcome = { state: 'Ready', version: 1, health: 'normal', waiting: false } as const;
    const result = {
      ...{
        id: 'op',
        name: 'create Parent/p',
        root: { ...entity, engagement: 'root', event: 'create' },
        dimensions: {},
      },
      ...{
        outcome: 'success',
        startedAt: 7,
        endedAt: 7,
        participants: [{ ...entity, life: '', ...outcome }],
        errors: [],
      },
    };
    const settled = { ...result, unfollowed: true };
    expect(immediateResult(taken, outcome, 7)).toStrictEqual(settled);
    const { stack: _, entity: __, event: ___, engagement: ____, ...broke } = error('Parent/p');
    expect(immediateResult(taken, { ...outcome, error: broke }, 7)).toStrictEqual({
      ...settled,
      ...{ outcome: 'failed', errors: [{ ...broke, entity: 'Parent/p', event: 'create', engagement: 'root' }] },
    });
    expect(immediateResult(taken, { ...outcome, rejection }, 7)).toStrictEqual({
      ...settled,
      outcome: 'failed',
      rejection,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { ResourceError, toErrorRecord } from '../../src/protocol/errors.js';
import { attemptsOf, countError, nextDelay } from '../../src/kernel/rules/retry.js';

const retry = {
  attempts: 3,
  delay: '1s',
  exhausted: 'Failed',
  errors: { quota: { attempts: 5 }, slow: { delay: '1m' } },
} as const;

describe('attempts by the kind of error (S3.5)', () => {
  it('count for the rule of their code, and not for others (retry.1)', () => {
    const snapshot = { attempt: 6, failedBy: { quota: 4 } };
    expect(attemptsOf(snapshot, retry, 'quota')).toMatchObject({ forLimit: 4, rule: { attempts: 5, delay: '1s' } });
    expect(attemptsOf(snapshot, retry, 'other')).toMatchObject({ forLimit: 2, rule: { attempts: 3 } });
  });

  it('count for the common limit where their rule has none (retry.1)', () => {
    const found = attemptsOf({ attempt: 4, failedBy: { slow: 1 } }, retry, 'slow');
    expect(found).toMatchObject({ forLimit: 4, forDelay: 1, rule: { attempts: 3, delay: '1m' } });
  });

  it('are kept only where a rule asks for them', () => {
    expect(countError({} as never, retry, 'other')).toEqual({});
    expect(countError({} as never, undefined, 'quota')).toEqual({});
    expect(countError({ failedBy: { quota: 1 } } as never, retry, 'quota')).toEqual({ failedBy: { quota: 2 } });
  });

  it('begin no sooner than a provider says, whatever is declared, and within 30 days (retry.2)', () => {
    const error = (retryAfter: number) => toErrorRecord(new ResourceError('busy', 'Busy.', { retryAfter }));
    expect(nextDelay(1_000, error(5_000))).toBe(5_000);
    expect(nextDelay(9_000, error(5_000))).toBe(9_000);
    expect(nextDelay(0, error(1e15))).toBe(30 * 86_400_000);
    expect(error(0)).not.toHaveProperty('retryAfterMs');
  });
});

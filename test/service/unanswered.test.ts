import { ServiceError } from '@temporalio/client';
import { expect, it } from 'vitest';
import { answeredWithin } from '../../src/service/answer-limit.js';
import { toProblem } from '../../src/service/problem.js';
import { plainText } from '../../src/service/routes/parameters.js';

/** The error of Temporal's client where a call ends with a status of gRPC. */
function failedWith(code: number): unknown {
  const cause = Object.assign(new Error('grpc'), { code, details: 'said so', metadata: {} });
  return new ServiceError('Failed to call', { cause });
}

it('nobody is blamed where no answer has come: it may be a worker, a task, or Temporal (S6.1)', async () => {
  // CANCELLED, DEADLINE_EXCEEDED, FAILED_PRECONDITION (a query that no worker takes) and ABORTED.
  for (const code of [1, 4, 9, 10])
    expect(toProblem(failedWith(code))).toMatchObject({ status: 503, code: 'no_answer' });
  // RESOURCE_EXHAUSTED, UNAVAILABLE, PERMISSION_DENIED and UNAUTHENTICATED: that is Temporal, or the way to it.
  for (const code of [8, 14, 7, 16]) {
    expect(toProblem(failedWith(code))).toMatchObject({ status: 503, code: 'temporal_unavailable' });
  }
  const late = answeredWithin(20, new Promise(() => undefined));
  await expect(late).rejects.toMatchObject({
    status: 503,
    code: 'no_answer',
    message: expect.stringContaining('20ms'),
  });
});

it('an empty text is too short, and has no control characters (S6.1)', () => {
  const messages = (text: string) =>
    plainText(5)
      .safeParse(text)
      .error?.issues.map(({ message }) => message);
  expect(messages('')).toHaveLength(1);
  expect(messages('')).not.toContain('has control characters');
  expect(messages('a\u0000')).toEqual(['has control characters']);
});

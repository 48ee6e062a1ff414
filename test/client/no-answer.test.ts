import { expect, it } from 'vitest';
import { hasNoAnswer, isTemporalAway } from '../../src/client/no-answer.js';

/** Makes the error that Temporal's client throws for an answer of the service. */
function refusal(code: number, details: string): Error {
  return new Error('Failed', { cause: Object.assign(new Error(details), { code, details, metadata: {} }) });
}

it('a run that takes no more is no mistake of the caller, and one whose request is wrong makes one (S6.1)', () => {
  const full = refusal(3, 'exceeded workflow execution limit for signal events');
  const wrong = refusal(3, 'SignalName is not set on request.');
  expect([full, wrong].map(hasNoAnswer)).toEqual([true, false]);
  expect([full, wrong].map(isTemporalAway)).toEqual([true, false]);
});

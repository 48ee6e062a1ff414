import { expect, it } from 'vitest';
import { inVocabulary } from '../../src/cli/vocabulary.js';

it('JSON has one form of times, and an outcome of what runs (S6.3)', () => {
  const operation = { request_id: 'o', outcome: null, workflow_start_time: '2026-11-29T04:54:58.786123Z' };
  expect(inVocabulary({ items: [operation], next: 't' })).toEqual({
    items: [{ request_id: 'o', outcome: 'running', workflow_start_time: '2026-11-29T04:54:58.786Z' }],
    next: 't',
  });
  const entity = { since: 1_795_928_102_428, failure: { at: 1_795_928_101_857, code: 'full' }, stuck_since: null };
  expect(
    inVocabulary({ at: 1_795_929_432_116, entities: [entity], operation: { startedAt: 1_795_928_101_000 } }),
  ).toEqual({
    at: '2026-11-29T05:17:12.116Z',
    entities: [
      {
        since: '2026-11-29T04:55:02.428Z',
        failure: { at: '2026-11-29T04:55:01.857Z', code: 'full' },
        stuck_since: null,
      },
    ],
    operation: { startedAt: '2026-11-29T04:55:01.000Z' },
  });
  expect(inVocabulary({ workflow_start_time: new Date(0) })).toEqual({
    workflow_start_time: '1970-01-01T00:00:00.000Z',
  });
});

it('nothing is changed in what a project declares, and no duration (S6.3)', () => {
  const told = {
    properties: { at: 1_795_928_102_428, outcome: null, begin_time: '2026-11-29T04:54:58.786123Z' },
    parameters: { since: 1_795_928_102_428 },
    mean_ms: 5_114.5,
    at: 7,
  };
  expect(inVocabulary(told)).toEqual(told);
});

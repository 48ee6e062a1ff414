import { expect, it } from 'vitest';
import { formattedLine, takeFormat } from '../../src/cli/format.js';
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

it('JSON names an entity as commands take it, and outcomes by the same words (S6.3)', () => {
  expect(
    inVocabulary([
      { type: 'Box', key: 'a,b', state: 'Ready' },
      { entity_type: 'Box', entity_key: 'c' },
      { state_machine_type: 'Box', keys: 'd', outcome: 'failed' },
      { kind: 'entity', name: 'Box/e' },
      { kind: 'distributed', name: 'orders/index/3', outcome: 'succeeded' },
      { entity_type: null, entity_key: null, outcome: 'cancelled' },
      { outcome: null, '@reeve.instance_outcome': 'cancelled' },
      { type: 'object', key: 'no entity' },
    ]),
  ).toEqual([
    { entity: 'Box/a,b', type: 'Box', key: 'a,b', state: 'Ready' },
    { entity: 'Box/c', entity_type: 'Box', entity_key: 'c' },
    { entity: 'Box/d', state_machine_type: 'Box', keys: 'd', outcome: 'failed' },
    { entity: 'Box/e', kind: 'entity', name: 'Box/e' },
    { kind: 'distributed', name: 'orders/index/3', outcome: 'success' },
    { entity_type: null, entity_key: null, outcome: 'canceled' },
    { outcome: 'running', '@reeve.instance_outcome': 'canceled' },
    { type: 'object', key: 'no entity' },
  ]);
});

it('each document of several has one line as JSON, and is one of a stream as YAML (S6.3)', () => {
  const change = { since: 1_795_928_102_428, outcome: null };
  takeFormat({ json: true });
  expect(formattedLine(change)).toBe('{"since":"2026-11-29T04:55:02.428Z","outcome":"running"}');
  takeFormat({ format: 'yaml' });
  expect(formattedLine(change)).toBe('---\nsince: "2026-11-29T04:55:02.428Z"\noutcome: running');
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

import { expect, it } from 'vitest';
import { here, standingOf } from '../../src/page/views/entity/standing.js';

const MOVING = {
  ...{ settled: false, stale: false, stuck: null, running: null, waiting: [], exhausted: false },
  ...{ attempt: null, attempts: null, next_attempt_time: null },
};
const STUCK = { reason: 'no_worker', message: 'it is pinned', what_to_do: 'Start workers.' } as const;

it.each([
  [{}, 'It waits for others.', 'waits for others'],
  [{ settled: true }, 'It rests.', 'it is here'],
  [{ stale: true }, 'It has not settled.', 'it is here'],
  [{ stale: true, stuck: STUCK }, 'It makes no progress.', 'makes no progress'],
])('%j says nothing that is not known (S6.3)', (more, standing, place) => {
  expect(standingOf({ ...MOVING, ...more })).toBe(standing);
  expect(here({ ...MOVING, ...more })).toBe(place);
});

import { expect, it } from 'vitest';
import { selfTimes } from '../../tools/bench/profile.js';

const node = (id: number, functionName: string) => ({
  id,
  callFrame: { functionName, scriptId: '1', url: 'file:///a/node_modules/b/c.js', lineNumber: 6, columnNumber: 0 },
});

it('a profile gives functions by their own time, without the time in which nothing was done', () => {
  const profile = {
    nodes: [node(1, '(root)'), node(2, '(idle)'), node(3, 'slow'), node(4, 'quick'), node(5, 'slow')],
    startTime: 0,
    endTime: 0,
    samples: [3, 2, 4, 5, 3],
    timeDeltas: [1_000, 90_000, 1_000, 500, 1_500],
  };
  expect(selfTimes(profile)).toEqual([
    { name: 'slow', place: 'b/c.js:7', ms: 3, share: 0.75 },
    { name: 'quick', place: 'b/c.js:7', ms: 1, share: 0.25 },
  ]);
});

import { describe, expect, it } from 'vitest';
import { typesWithout, unreadable } from '../../src/rollout/rollback.js';

const build = (name: string, schemas: Record<string, readonly [schema: number, backTo: number]>) => ({
  build: name,
  schemas: Object.fromEntries(Object.entries(schemas).map(([type, [schema, backTo]]) => [type, { schema, backTo }])),
});

describe('the way from one build to another (Q2, rollout.4)', () => {
  it.each([
    ['the same schemas', { Order: [2, 2] }, { Order: [2, 2] }, undefined],
    ['a newer schema', { Order: [2, 2] }, { Order: [3, 3] }, undefined],
    ['an older one, to which migrations lead back', { Order: [3, 1] }, { Order: [1, 1] }, undefined],
    [
      'an older one',
      { Order: [2, 2] },
      { Order: [1, 1] },
      ["'new' brings Order to schema 2, and 'old' reads schema 1"],
    ],
    [
      'one that is older than the last way back',
      { Order: [3, 2], Box: [2, 2] },
      { Order: [1, 1], Box: [1, 1] },
      [
        "'new' brings Order to schema 3, and 'old' reads schema 1",
        "'new' brings Box to schema 2, and 'old' reads schema 1",
      ],
    ],
    ['a type that it has not', { Order: [2, 2] }, {}, undefined],
  ] as const)('to %s', (_, of, by, expected) => {
    expect(unreadable(build('new', of as never), build('old', by as never))).toEqual(expected);
  });

  it('is none for types that the other one has not', () => {
    expect(typesWithout(build('new', { Order: [1, 1], Box: [1, 1] }), build('old', { Box: [1, 1] }))).toEqual([
      'Order',
    ]);
  });
});

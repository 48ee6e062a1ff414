/** Collectors: what compiles and what must not. A3 */
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { defineResource, type CollectedResult, type ResourceContext } from '../../src/definition/index.js';

const shop = defineResource('shop', {
  price: { input: z.object({ of: z.string() }), output: z.object({ price: z.number() }) },
  stock: {
    input: z.object({ at: z.string() }),
    output: z.object({ count: z.number() }),
    answer: 'callback',
    within: '1h',
  },
});

export async function collects(app: ResourceContext): Promise<void> {
  const both = await app.collect(
    [
      [shop.price, { of: 'tea' }],
      [shop.stock, { at: 'here' }],
    ],
    { until: 'all', within: '1m' },
  );
  expectTypeOf(both.results[0]).toEqualTypeOf<CollectedResult<{ price: number }>>();
  expectTypeOf(both.results[1]).toEqualTypeOf<CollectedResult<{ count: number }>>();
  expectTypeOf(both.answers[0]!.output).toEqualTypeOf<{ price: number } | { count: number }>();

  const names = ['a', 'b'];
  const calls = names.map((of) => [shop.price, { of }] as const);
  const many = await app.collect(calls, { until: { answers: 1 }, within: '1m', match: ({ price }) => price < 3 });
  expectTypeOf(many.answers[0]!.output).toEqualTypeOf<{ price: number }>();

  // @ts-expect-error the input of another call
  await app.collect([[shop.price, { at: 'here' }]], { until: 'all', within: '1m' });
  // @ts-expect-error a collector ends at some time
  await app.collect([[shop.price, { of: 'tea' }]], { until: 'all' });
  // @ts-expect-error no such rule
  await app.collect([[shop.price, { of: 'tea' }]], { until: 'most', within: '1m' });
}

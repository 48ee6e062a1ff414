import { expect, it } from 'vitest';
import { z } from 'zod';
import { makeShareable } from '../../src/definition/shareable.js';

it('a shared schema still checks formats when a worker has frozen the patterns that zod or a module exports (S1.1)', () => {
  const pattern = /^[a-z]+$/;
  const schema = z.object({ address: z.ipv4(), name: z.string().regex(pattern) });
  makeShareable(schema);
  for (const exported of [z.core.regexes.ipv4, pattern]) Object.freeze(exported);
  expect(schema.safeParse({ address: '10.0.0.1', name: 'orders' }).success).toBe(true);
  expect(schema.safeParse({ address: 'home', name: 'ORDERS' }).error?.issues).toHaveLength(2);
});

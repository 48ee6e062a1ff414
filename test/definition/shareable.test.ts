import { expect, it } from 'vitest';
import { z } from 'zod';
import * as components from '../../src/components/index.js';
import * as definition from '../../src/definition/index.js';
import { makeShareable } from '../../src/definition/shareable.js';

it('a shared schema still checks formats when a worker has frozen the patterns that zod or a module exports (S1.1)', () => {
  const pattern = /^[a-z]+$/;
  const schema = z.object({ address: z.ipv4(), name: z.string().regex(pattern) });
  makeShareable(schema);
  for (const exported of [z.core.regexes.ipv4, pattern]) Object.freeze(exported);
  expect(schema.safeParse({ address: '10.0.0.1', name: 'orders' }).success).toBe(true);
  expect(schema.safeParse({ address: 'home', name: 'ORDERS' }).error?.issues).toHaveLength(2);
});

it('a schema can have a default of any depth (S1.5a)', () => {
  let deep: unknown = {};
  for (let level = 0; level < 20_000; level++) deep = { deep };
  expect(() => makeShareable(z.object({ any: z.any().default(deep) }))).not.toThrow();
});

it.each(schemasOf({ ...definition, ...components }))(
  'the exported schema %s can be extended in workflow code, after a worker has loaded the declarations (S4.1)',
  (_name, schema) => {
    expect(Object.isFrozen(schema)).toBe(true);
    expect(() => [schema.optional(), schema.exactOptional(), schema.nullable(), schema.array()]).not.toThrow();
  },
);

function schemasOf(exports: Readonly<Record<string, unknown>>) {
  return Object.entries(exports).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);
}

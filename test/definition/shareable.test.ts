import { expect, it } from 'vitest';
import { z } from 'zod';
import * as components from '../../src/components/index.js';
import * as definition from '../../src/definition/index.js';
import { defineEntity, defineResource, initial, terminal } from '../../src/definition/index.js';
import { makeShareable } from '../../src/definition/shareable.js';

it('a shared schema still checks formats when a worker has frozen the patterns that zod or a module exports (S1.1)', () => {
  const pattern = /^[a-z]+$/;
  const schema = z.object({ address: z.ipv4(), name: z.string().regex(pattern) });
  makeShareable(schema);
  for (const exported of [z.core.regexes.ipv4, pattern]) Object.freeze(exported);
  expect(schema.safeParse({ address: '10.0.0.1', name: 'orders' }).success).toBe(true);
  expect(schema.safeParse({ address: 'home', name: 'ORDERS' }).error?.issues).toHaveLength(2);
});

it('a declaration may use patterns that are frozen before it is checked (S1.1, S4.1)', () => {
  const frozen = Object.freeze(/^[a-z.]+$/);
  const name = z.string().regex(frozen);
  const properties = z.object({
    name: name.prefault('orders'),
    home: z.url({ hostname: frozen, protocol: Object.freeze(/^https$/) }).prefault('https://example.org'),
    other: z.lazy(() => name).prefault('x'),
  });
  const ask = defineResource('mails', { ask: { input: name, output: z.tuple([name]) } });
  expect(ask.calls.ask.input.safeParse('orders').success).toBe(true);
  const Mail = defineEntity('Mail', {
    key: z.string(),
    properties,
    states: { Absent: initial(), Sent: terminal() },
    events: { send: { in: 'Absent' } },
    actions: { send: { on: 'send', in: 'Absent', to: 'Sent' } },
  });
  expect(Mail.properties.parse({})).toEqual({ name: 'orders', home: 'https://example.org', other: 'x' });
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

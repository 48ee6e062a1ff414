import { z } from 'zod';
import { defineResource } from '../../src/definition/index.js';

const odd = { input: z.object({ kind: z.string() }), output: z.object({ count: z.number() }), timeout: '5s' } as const;

/** The resource that misbehaves outside, by the kind that it is told. Its code runs in the worker. */
export const outside = defineResource('outside', {
  well: { input: z.object({ name: z.string() }), output: z.object({}) },
  odd,
  inline: { ...odd, answer: 'inline' },
  long: { input: z.object({ ms: z.number() }), output: z.object({}), timeout: '15m' },
});

/** The same, in a process of its own. */
export const apart = defineResource('apart', { odd });

import { z } from 'zod';
import { defineResource } from '../../src/definition/index.js';

/** What misbehaves outside, by the kind that it is told. */
export const outside = defineResource('outside', {
  well: { input: z.object({ name: z.string() }), output: z.object({}) },
  odd: { input: z.object({ kind: z.string() }), output: z.object({ count: z.number() }), timeout: '5s' },
});

import { z } from 'zod';
import { defineResource } from '../../src/definition/index.js';

/** Calls for tests. */
export const resource = defineResource('files', {
  copy: { input: z.object({ from: z.string(), to: z.string() }), output: z.any() },
  remove: { input: z.object({ file: z.string() }), output: z.any() },
  run: { input: z.object({ line: z.string() }), output: z.any() },
  stop: { input: z.object({ line: z.string() }), output: z.any() },
  alive: { input: z.object({ line: z.string() }), output: z.boolean() },
});

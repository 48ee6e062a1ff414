import { z } from 'zod';
import { defineDistributedOperation } from '../../src/distributed/index.js';

export const schema = z.object({ done: z.number(), total: z.number() });

/** One instance for each name at a time. Its jobs cannot fail. */
export const build = defineDistributedOperation('build', {
  argument: z.object({ name: z.string().min(1) }),
  object: ({ name }) => name,
  on: 'primary',
  canFail: false,
  progress: { schema, kept: 'executor' },
  compatibleWith: ['check'],
  atOnce: 2,
});

/** One instance at a time. Its jobs can fail. */
export const check = defineDistributedOperation('check', {
  argument: z.object({}),
  on: 'any',
  canFail: true,
  progress: { schema, kept: 'transferable' },
  compatibleWith: ['build'],
});

/** Runs alone. */
export const rewrite = defineDistributedOperation('rewrite', {
  argument: z.object({}),
  on: 'primary',
  canFail: true,
  whenOneFails: 'finish',
  progress: { schema, kept: 'volatile' },
});

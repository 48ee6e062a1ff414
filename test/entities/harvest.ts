import { z } from 'zod';
import { defineDistributedOperation } from '../../src/distributed/index.js';

const progress = z.object({ done: z.number(), total: z.number() });

/** Sows a field: many at once, one for each crop. It cannot fail. */
export const sow = defineDistributedOperation('sow', {
  argument: z.object({ crop: z.string(), rows: z.number().default(3) }),
  object: ({ crop }) => crop,
  on: 'primary',
  canFail: false,
  progress: { schema: progress, kept: 'executor' },
  compatibleWith: ['inspect'],
  atOnce: 4,
  roles: { start: ['farmer'], read: ['farmer', 'visitor'], operate: ['farmer'] },
});

/** Looks at every field: it can fail, and then all of it stops. */
export const inspect = defineDistributedOperation('inspect', {
  argument: z.object({ rows: z.number().default(1) }),
  on: 'any',
  canFail: true,
  progress: { schema: progress, kept: 'transferable' },
  compatibleWith: ['sow'],
  atOnce: 4,
});

/** Turns every field over: nothing else may run meanwhile. */
export const plough = defineDistributedOperation('plough', {
  argument: z.object({}),
  on: 'primary',
  canFail: true,
  progress: { schema: progress, kept: 'volatile' },
});

export const OPERATIONS = [sow, inspect, plough];

/** Puts a fence around every field: at the end it has to be where the primary of the field is then. I7 */
export const fence = defineDistributedOperation('fence', {
  argument: z.object({}),
  on: 'primary',
  canFail: false,
  progress: { schema: progress, kept: 'executor' },
});

/** Looks for stones in every field, where it is no primary: all that have some are told. I7 */
export const survey = defineDistributedOperation('survey', {
  argument: z.object({}),
  on: 'any',
  canFail: true,
  whenOneFails: 'finish',
  progress: { schema: progress, kept: 'transferable' },
});

/** All of them, with those that are like an index and a check of rows. */
export const ALL_OPERATIONS = [...OPERATIONS, fence, survey];

import { z } from 'zod';
import { defineDistributedOperation } from '../../src/distributed/index.js';

const argument = z.object({ mark: z.string(), rows: z.number().int() });
const schema = z.object({ done: z.number(), total: z.number() });

/** Stamps each row of each partition where its primary is, in a table that a person can count. */
export const stamp = defineDistributedOperation('stamp', {
  argument,
  object: ({ mark }) => mark,
  on: 'primary',
  canFail: false,
  progress: { schema, kept: 'executor' },
  compatibleWith: ['survey'],
  atOnce: 6,
});

/** Reads each row once. Its jobs take their progress along when they move. The completion of each stamping starts one. */
export const survey = defineDistributedOperation('survey', {
  argument,
  object: ({ mark }) => mark,
  on: 'primary',
  canFail: true,
  progress: { schema, kept: 'transferable' },
  compatibleWith: ['stamp'],
  atOnce: 6,
});

export const OPERATIONS = [stamp, survey];

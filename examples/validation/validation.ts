import { defineDistributedOperation } from 'reeve/distributed';
import { z } from 'zod';

/** Checks a column in each row of a table, whose partitions lie at several places. */
export const validate = defineDistributedOperation('validate', {
  argument: z.object({ column: z.enum(['email', 'country']) }),
  object: ({ column }) => column, // the columns of a table may be validated at the same time
  on: 'any', // any replica of a partition will do
  canFail: true,
  whenOneFails: 'finish', // so that one run finds all partitions with wrong rows
  progress: {
    schema: z.object({ done: z.number(), total: z.number() }),
    kept: 'executor', // a job goes on from there when its executor is started again
  },
});

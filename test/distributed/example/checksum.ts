import { z } from 'zod';
import { defineDistributedOperation } from 'reeve/distributed';

/** The checksums of the files of an archive, whose folders lie on several disks. */
export const checksum = defineDistributedOperation('checksum', {
  argument: z.object({ algorithm: z.enum(['sha256', 'sha512']) }),
  object: ({ algorithm }) => algorithm, // one instance for each algorithm at once
  on: 'primary', // where the folder is
  canFail: false, // a failed job is tried again, for ever
  progress: {
    schema: z.object({ done: z.number(), total: z.number(), sums: z.array(z.string()) }),
    kept: 'executor', // it goes on from there when its executor is started again
  },
});

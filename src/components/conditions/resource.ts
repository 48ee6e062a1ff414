import { z } from 'zod';
import { defineResource } from '../../definition/resource.js';

/** A database has 10 s to take the connection, and 10 s to answer. */
const LIMIT = '20s';

/** Describes what conditions ask of the world. Providers answer `false` for what is not there, and fail for what cannot be asked. W-8 */
export const conditions = defineResource('conditions', {
  propertySet: { input: z.object({ property: z.string() }), output: z.boolean(), answer: 'inline', timeout: '5s' },
  pageLive: {
    input: z.object({
      url: z.string(),
      status: z.int(),
      mimeTypes: z.array(z.string()),
      minimumSize: z.int(),
    }),
    output: z.boolean(),
    timeout: LIMIT,
  },
  fileExists: { input: z.object({ file: z.string(), minimumSize: z.int() }), output: z.boolean(), timeout: LIMIT },
  hostExists: { input: z.object({ hostname: z.string() }), output: z.boolean(), timeout: LIMIT },
  databaseOpen: { input: z.object({ url: z.string() }), output: z.boolean(), timeout: LIMIT },
  databaseLive: { input: z.object({ url: z.string() }), output: z.boolean(), timeout: LIMIT },
});

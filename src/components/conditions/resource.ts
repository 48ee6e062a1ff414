import { z } from 'zod';
import { defineResource } from '../../definition/resource.js';

/** What conditions ask of the world. Providers answer `false` for what is not there, and fail for what cannot be asked. W-8 */
export const conditions = defineResource('conditions', {
  propertySet: { input: z.object({ property: z.string() }), output: z.boolean(), answer: 'inline' },
  pageLive: {
    input: z.object({
      url: z.string(),
      status: z.int(),
      mimeTypes: z.array(z.string()),
      minimumSize: z.int(),
    }),
    output: z.boolean(),
  },
  fileExists: { input: z.object({ file: z.string(), minimumSize: z.int() }), output: z.boolean() },
  hostExists: { input: z.object({ hostname: z.string() }), output: z.boolean() },
  databaseOpen: { input: z.object({ url: z.string() }), output: z.boolean() },
  databaseLive: { input: z.object({ url: z.string() }), output: z.boolean() },
});

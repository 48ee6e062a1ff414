import { defineResource } from 'reeve/definition';
import { z } from 'zod';

/** All that a site needs of the world outside: a place where pages are kept. */
export const pages = defineResource('pages', {
  publish: {
    input: z.object({ name: z.string(), text: z.string() }),
    output: z.object({ file: z.string() }),
    summary: 'publish {name}',
  },
  remove: { input: z.object({ name: z.string() }), output: z.object({}), summary: 'remove {name}' },
});

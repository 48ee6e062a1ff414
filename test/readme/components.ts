import { call, component, provesItEnds, ref, retry, sequence } from 'reeve/components';
import { defineResource } from 'reeve/definition';
import { z } from 'zod';

const files = defineResource('files', {
  copy: { input: z.object({ from: z.string(), to: z.string() }), output: z.object({}) },
  remove: { input: z.object({ file: z.string() }), output: z.object({}) },
});

/** Moves a file. While somebody uses it, that is tried again. */
export const Move = component('Move', {
  attributes: z.object({ from: z.string(), to: z.string() }),
  deploys: () =>
    sequence({
      copy: retry({
        ...{ retry: 'forever', delay: '10s' },
        action: call(files.copy, { from: ref('../from'), to: ref('../to') }),
      }),
      remove: call(files.remove, { file: ref('../from') }),
    }),
});

/** In memory: the file is in use twice. Gives what was called, and how it ended. */
export async function move(): Promise<readonly string[]> {
  const calls: string[] = [];
  const { type } = await provesItEnds(Move({ from: 'report', to: 'archive' }), {
    components: [Move],
    answer: (activity) =>
      calls.push(activity) < 3 ? { error: { code: 'in_use', message: 'Somebody uses it.' } } : { output: {} },
  });
  return [...calls, type]; // files.copy, files.copy, files.copy, files.remove, normal
}

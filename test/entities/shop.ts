import { z } from 'zod';
import { call, component, during, ref, sequence } from '../../src/components/index.js';
import { defineResource } from '../../src/definition/index.js';

export const files = defineResource('files', {
  copy: { input: z.object({ from: z.string(), to: z.string() }), output: z.object({ bytes: z.number() }) },
  remove: { input: z.object({ file: z.string() }), output: z.object({}) },
});

export const processes = defineResource('processes', {
  start: { input: z.object({ line: z.string() }), output: z.object({ pid: z.number() }) },
  alive: { input: z.object({ line: z.string() }), output: z.boolean() },
  stop: { input: z.object({ line: z.string() }), output: z.object({}) },
});

/** A process that is started, looked after and stopped. */
export const Daemon = component('Daemon', {
  attributes: z.object({ commandLine: z.string() }),
  start: async (self) => {
    const { pid } = await self.call(processes.start, { line: self.attributes.commandLine });
    self.set('pid', pid);
  },
  ping: async (self) => self.call(processes.alive, { line: self.attributes.commandLine }),
  end: async (self) => {
    await self.call(processes.stop, { line: self.attributes.commandLine });
  },
});

/** A file is fetched, a program runs over it for a time, and the file is removed. The design's own example. */
export const Application = component('Application', {
  attributes: z.object({
    file: z.string(),
    url: z.string(),
    commandLine: z.string(),
    time: z.number().default(10_000),
  }),
  deploys: () =>
    sequence({
      copy: call(files.copy, { from: ref('../url'), to: ref('../file') }),
      run: during({ time: ref('../time'), action: Daemon({ commandLine: ref('../commandLine') }) }),
      remove: call(files.remove, { file: ref('../file') }),
    }),
});

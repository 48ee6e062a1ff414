import { z } from 'zod';
import { component } from '../../src/components/index.js';
import { defineResource } from '../../src/definition/index.js';

/* The work that deployments do on a machine: files, processes and tables that are really there. */

export const files = defineResource('files', {
  fetch: { input: z.object({ url: z.string(), file: z.string() }), output: z.object({ bytes: z.number() }) },
  copy: { input: z.object({ from: z.string(), to: z.string() }), output: z.object({}) },
});

export const processes = defineResource('processes', {
  start: {
    input: z.object({ name: z.string(), command: z.string(), args: z.array(z.string()) }),
    output: z.object({}),
  },
  alive: { input: z.object({ name: z.string() }), output: z.boolean() },
  stop: { input: z.object({ name: z.string() }), output: z.object({}) },
});

export const sql = defineResource('sql', {
  run: { input: z.object({ url: z.string(), statement: z.string() }), output: z.object({ rows: z.number() }) },
});

/** A process, looked after and stopped. Whether it is ready is asked by a condition. */
export const Program = component('Program', {
  attributes: z.object({ name: z.string(), command: z.string(), args: z.array(z.string()) }),
  start: async (self) => void (await self.call(processes.start, self.attributes)),
  ping: async (self) => self.call(processes.alive, { name: self.attributes.name }),
  end: async (self) => void (await self.call(processes.stop, { name: self.attributes.name })),
});

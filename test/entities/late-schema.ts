import { z } from 'zod';
import { defineEntity, deleted, initial, stable } from '../../src/definition/index.js';

/** No declaration uses this schema: only the action does, when it runs. */
export const note = z.object({ text: z.string().trim().min(1), words: z.array(z.string()).optional() });

export const Notebook = defineEntity('Notebook', {
  key: z.string(),
  properties: z.object({ notes: z.array(z.string()).default([]) }),
  states: { Absent: initial(), Open: stable(), Deleted: deleted() },
  events: {
    open: { in: 'Absent' },
    write: { params: z.object({ text: z.string() }), in: 'Open' },
    burn: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    write: { on: 'write', in: 'Open' },
    burn: { on: 'burn', in: 'Open', to: 'Deleted' },
  },
});

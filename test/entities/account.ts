import { z } from 'zod';
import { defineEntity, initial, terminal } from '../../src/definition/index.js';

/** An account whose number is nobody's business but that of those who may read it. Q5 */
export const Account = defineEntity('Account', {
  key: z.string(),
  properties: z.object({
    iban: z.string().default(''),
    owners: z.array(z.string()).default([]),
    branch: z.string().default(''),
  }),
  secret: ['iban', 'owners'],
  dimensions: { branch: 'properties.branch' },
  states: { Absent: initial(), Open: terminal() },
  events: { open: { params: z.object({ iban: z.string() }), in: 'Absent' } },
  actions: { open: { on: 'open', in: 'Absent', to: 'Open' } },
});

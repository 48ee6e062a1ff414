import { z } from 'zod';
import { defineResource } from '../../../src/definition/index.js';

const input = z.object({ valve: z.string() });
const output = z.object({ value: z.number() });

/** A resource that answers at once, so that only the work around its calls is measured. */
export const gauge = defineResource('gauge', {
  probe: { input, output, answer: 'inline' },
  overhaul: { input, output },
  repair: { input, output },
});

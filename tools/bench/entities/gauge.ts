import { z } from 'zod';
import { answerAddress, defineResource } from '../../../src/definition/index.js';

const input = z.object({ valve: z.string() });
const output = z.object({ value: z.number() });

/** A resource that answers at once, so that only the work around its calls is measured; or from outside, days later. */
export const gauge = defineResource('gauge', {
  probe: { input, output, answer: 'inline' },
  overhaul: { input, output },
  repair: { input, output },
  inspect: { input, output, answer: 'callback', within: '7d' },
  lend: { input: input.extend({ back: answerAddress }), output: z.object({}) },
});

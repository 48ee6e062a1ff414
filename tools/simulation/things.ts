import { z } from 'zod';
import { answerAddress, defineResource } from '../../src/definition/index.js';

const input = z.object({ name: z.string(), part: z.number() });
const output = z.object({ made: z.number() });

/** The only resource of generated machines. */
export const things = defineResource('things', {
  make: { input, output },
  look: { input: z.object({ name: z.string() }), output: z.object({ seen: z.number() }), answer: 'inline' },
  glance: { input, output, answer: 'inline' },
  /** Gives somebody outside an address at which a machine waits to be told. */
  tell: { input: z.object({ at: answerAddress }), output: z.object({}) },
  consult: { input, output, answer: 'callback', within: '30s' },
});

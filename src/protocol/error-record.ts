import { z } from 'zod';
import type { Described } from './plain.js';

const errorKind = z.enum(['rejected', 'retryable', 'needs_operator', 'defect']);

/** Tells who must act on an error: the caller, nobody (it is tried again), a person, or the author of the code. */
export type ErrorKind = z.infer<typeof errorKind>;

export const errorRecord = z.object({
  kind: errorKind,
  /** Stable, for programs: lower case with underscores. */
  code: z.string(),
  message: z.string(),
  /** No attempt begins before this time has passed, in milliseconds: a provider has said so. */
  retryAfterMs: z.number().exactOptional(),
  /** The stack of a defect, where the worker takes stacks. */
  stack: z.string().exactOptional(),
});

/** An error as it is recorded and passed on. */
export interface ErrorRecord extends Described<typeof errorRecord> {}

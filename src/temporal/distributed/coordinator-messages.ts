import { ApplicationFailure } from '@temporalio/workflow';
import { z } from 'zod';
import { mayBeAtOnce, type StartRequest } from '../../distributed/index.js';
import { schemaProblems } from '../../protocol/schema-problems.js';

/*
 * The messages to a coordinator. Anybody with a Temporal client can send one, and one that cannot be taken must fail no workflow task. S1.5a
 */

const followUp = z.object({ type: z.string(), argument: z.unknown() });
const startRequest = followUp.extend({
  request: z.string(),
  partitions: z.string().optional(),
  atOnce: z.custom<number>((atOnce) => typeof atOnce === 'number' && mayBeAtOnce(atOnce)).optional(),
});

/** An instance has ended. */
const ended = z.object({ type: z.string(), instance: z.int().positive(), starts: z.array(followUp).readonly() });
export type EndedMessage = z.output<typeof ended>;

/** @throws ApplicationFailure */
export function checkStart(request: StartRequest): void {
  const { error } = startRequest.safeParse(request);
  if (error) throw ApplicationFailure.nonRetryable(`This starts nothing: ${schemaProblems(error)}.`, 'invalid_request');
}

/** Nothing where it is no such message. */
export function parseEnded(content: unknown): EndedMessage | undefined {
  return ended.safeParse(content).data;
}

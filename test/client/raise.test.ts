import { WorkflowUpdateRPCTimeoutOrCancelledError, type Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { sendBatch } from '../../src/client/raise.js';
import type { Answer } from '../../src/protocol/answer.js';

const DEADLINE_EXCEEDED = 4;
const TO = { type: 'Box', key: 'one' };
const REQUEST = { id: 'r', event: 'look', params: {} };
const ANSWER = { status: 'accepted', operation: 'r' } as const;

/** Raises an event. Its first update ends with these details, after its entity has taken it. Gives the number of updates, too. */
async function raiseThrough(details: string) {
  let updates = 0;
  const executeUpdate = async (): Promise<readonly Answer[]> => {
    if (++updates > 1) return [{ ...ANSWER, repeated: true }];
    const cause = Object.assign(new Error(details), { code: DEADLINE_EXCEEDED, details, metadata: {} });
    throw new WorkflowUpdateRPCTimeoutOrCancelledError(details, { cause });
  };
  const client = { workflow: { getHandle: () => ({ executeUpdate }) } } as unknown as Client;
  const answers = await sendBatch(client, TO, [REQUEST]).catch((thrown: Error) => thrown.message);
  return { answers, updates };
}

it('an event that a busy service gives up on is raised again, and its caller gets the first answer (S2.5)', async () => {
  expect(await raiseThrough('context deadline exceeded')).toEqual({ answers: [ANSWER], updates: 2 });
});

it("an event is not raised again after its caller's own deadline (S2.5)", async () => {
  const details = 'Deadline exceeded after 0.100s';
  expect(await raiseThrough(details)).toEqual({ answers: details, updates: 1 });
});

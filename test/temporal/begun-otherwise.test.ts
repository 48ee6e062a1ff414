import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { signaturesByCallback } from '../entities/contract.js';

it('a call that was begun before it was answered from outside is left to a worker that makes it so (A7)', async () => {
  const asked: string[] = [];
  const { 'signatures.sign': sign } = implementResource(signaturesByCallback, {
    sign: async ({ key }) => void asked.push(key),
  });
  const callbacks = {
    url: 'https://callbacks.example/api',
    keys: new CallbackKeys(randomBytes(32).toString('base64')),
  };
  // It has no question that could be answered.
  const begun = { input: { key: 'a' }, idempotencyKey: 'a' };
  const made = new MockActivityEnvironment().run(() => sign!(begun, { callbacks, affinity: undefined }));
  const failed = await made.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(failed).toBeInstanceOf(ApplicationFailure);
  // Temporal gives it to another worker, and the action does not hear of a failure.
  expect(failed).toMatchObject({ type: 'begun_otherwise', nonRetryable: false });
  expect((failed as Error).message).toMatch(/Start a worker with the earlier declaration, or abort/);
  expect(asked).toEqual([]);
});

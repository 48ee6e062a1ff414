import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Rejected } from '../protocol/errors.js';
import type { Rejection } from '../protocol/rejection.js';

/** The type of the failure of an event that was not accepted. Its only detail is the `Rejection`. */
const REJECTED = 'Rejected';

/** Makes the failure by which a workflow, or an activity, says that an event was not accepted. */
export function rejectedFailure({ rejection }: Rejected): ApplicationFailure {
  const { message } = rejection;
  // It is an answer, so it is in no log and no measure of failures.
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type: REJECTED, message, nonRetryable: true, details: [rejection], category });
}

/** Returns why an event was not accepted; nothing where the error is another one. */
export function rejectionOf(thrown: unknown): Rejection | undefined {
  if (!(thrown instanceof ApplicationFailure) || thrown.type !== REJECTED) return undefined;
  return thrown.details?.[0] as Rejection | undefined;
}

import { ActivityFailure, TimeoutFailure } from '@temporalio/common';
import type { InstanceRef, StartRefusal } from '../../distributed/index.js';

/** How long all tries of the check of a start may take. The management service answers within 15 s. */
export const CHECKS_WITHIN = '12s';

/** Why an operation does not start whose check gave no answer. */
export function unchecked({ type, target }: Pick<InstanceRef, 'type' | 'target'>, thrown: unknown): StartRefusal {
  const cause = thrown instanceof ActivityFailure ? thrown.cause : undefined;
  const why =
    cause instanceof TimeoutFailure
      ? `gave no answer within ${CHECKS_WITHIN}. What it asks for is slow or locked, or no worker makes checks. Try again later.`
      : `has failed: ${cause?.message ?? String(thrown)}`;
  return { code: 'check_failed', message: `'${type}' cannot start on ${target}: its check ${why}` };
}

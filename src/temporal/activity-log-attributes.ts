import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { CallEnvelope } from './call-envelope.js';

/** Puts the operation that a call belongs to into each line that is logged of it. S4.8 */
export const activityLogAttributes: ActivityInterceptorsFactory = () => {
  let operation: string | undefined;
  return {
    inbound: {
      execute: (input, next) => {
        const [envelope] = input.args as readonly (Partial<CallEnvelope> | undefined)[];
        operation = envelope?.operation;
        return next(input);
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) => next({ ...attributes, ...(operation !== undefined && { operation }) }),
    },
  };
};

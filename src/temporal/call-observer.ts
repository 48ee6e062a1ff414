import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { CallEnvelope } from './call-envelope.js';
import { messageOf } from '../definition/thrown.js';

/** A resource call that is over. Times are milliseconds since 1970. */
export interface ObservedCall {
  /** `databases.createInstance` */
  readonly activity: string;
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly operation?: string;
  /** The id of the event that it is made for. */
  readonly event?: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why it failed. */
  readonly error?: string;
}

/** Hears of each resource call that a worker makes. It must not throw. */
export type CallObserver = (call: ObservedCall) => void;

/** Passes resource calls to the observer. A worker's own activities are not resource calls. */
export function observeCalls(observer: CallObserver): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        const [envelope] = input.args as readonly (Partial<CallEnvelope> | undefined)[];
        const { idempotencyKey, operation, event } = envelope ?? {};
        if (idempotencyKey === undefined) return next(input);
        const startedAt = Date.now();
        const tell = (error?: string) =>
          observer({
            activity: info.activityType,
            entity: info.workflowExecution?.workflowId ?? '',
            ...(operation !== undefined && { operation }),
            ...(event !== undefined && { event }),
            ...{ idempotencyKey, attempt: info.attempt, startedAt, endedAt: Date.now() },
            ...(error !== undefined && { error }),
          });
        try {
          const answer = await next(input);
          tell();
          return answer;
        } catch (thrown) {
          tell(messageOf(thrown));
          throw thrown;
        }
      },
    },
  });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Info } from '@temporalio/activity';

/** A call of a resource that is under way in this process. */
export interface CurrentCall {
  /** `databases.createInstance` */
  readonly activity: string;
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Names its run and its activity there: the same whenever Temporal makes the call again, and another one in the next attempt of the action. */
  readonly activityId: string;
}

const storage = new AsyncLocalStorage<CurrentCall>();

/** The call for which the code runs that asks, also in a timer or an emitter that the call has made. */
export function currentCall(): CurrentCall | undefined {
  return storage.getStore();
}

/** Runs the code of a provider, which is the code of this call from here on. */
export function runCall<T>(call: CurrentCall, run: () => T): T {
  return storage.run(call, run);
}

/** The call that an activity is. */
export function callOf(
  { activityId, activityType, attempt, workflowExecution }: Info,
  idempotencyKey: string,
): CurrentCall {
  const { workflowId = '', runId = '' } = workflowExecution ?? {};
  return {
    ...{ activity: activityType, entity: workflowId, attempt, idempotencyKey },
    activityId: `${runId}/${activityId}`,
  };
}

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
}

const storage = new AsyncLocalStorage<CurrentCall>();

/** The call for which the code runs that asks, also in a timer or an emitter that the call has made. */
export function currentCall(): CurrentCall | undefined {
  return storage.getStore();
}

/** Runs the code of a provider, which is the code of this call from here on. */
export function runCall<T>(
  { activityType, attempt, workflowExecution }: Info,
  idempotencyKey: string,
  run: () => T,
): T {
  const entity = workflowExecution?.workflowId ?? '';
  return storage.run({ activity: activityType, entity, attempt, idempotencyKey }, run);
}

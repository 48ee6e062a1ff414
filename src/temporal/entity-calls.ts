import { ActivityFailure, proxyActivities, uuid4 } from '@temporalio/workflow';
import type { OperationResult } from '../operations/status.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import { Rejected } from '../protocol/errors.js';
import { plainRequest } from '../protocol/plain-request.js';
import { timedUuid } from '../protocol/request-id.js';
import type { BirthOptions, RaiseOptions } from '../protocol/request-options.js';
import {
  CANCEL_ACTIVITY,
  LOST_AFTER_MS,
  RAISE_ACTIVITY,
  REACH_ACTIVITY,
  READ_ACTIVITY,
  RESULT_ACTIVITY,
  keyText,
  titleOf,
  type EntityActivities,
  type EntityState,
  type NamedEntity,
  type WorkflowEvent,
} from './entity-activities.js';
import { runOfThis } from './run.js';
import { rejectedFailure, rejectionOf } from './rejected-failure.js';

/** An event for which the workflow has yet to make a request id, unless it was given one. */
export type EventToRaise = Omit<WorkflowEvent, 'options'> & { readonly options: RaiseOptions & BirthOptions };

/** All that a workflow can ask of entities, by their names. Each is an activity. */
export interface EntityCalls {
  raise(event: EventToRaise): Promise<AcceptedEvent>;
  result(accepted: AcceptedEvent): Promise<OperationResult>;
  cancel(accepted: AcceptedEvent): Promise<void>;
  read(entity: NamedEntity): Promise<EntityState | undefined>;
  reach(entity: NamedEntity, states: readonly string[]): Promise<EntityState>;
}

/** How long one attempt of an activity may take. Those that wait longer for something are tried again. */
const ATTEMPT = '1m';

/** @param taskQueue that of a worker with `ReevePlugin`; by default, that of the workflow */
export function entityCalls(taskQueue: string | undefined): EntityCalls {
  const ask = async <R>(summary: string, run: (activities: EntityActivities) => Promise<R>): Promise<R> => {
    const activities = proxyActivities<EntityActivities>({
      ...{ startToCloseTimeout: ATTEMPT, heartbeatTimeout: LOST_AFTER_MS, summary, retry: { maximumInterval: '30s' } },
      ...(taskQueue !== undefined && { taskQueue }),
    });
    try {
      return await run(activities);
    } catch (thrown) {
      // It is told as what it is, and not as the failure of an activity that the workflow has not called itself.
      throw thrown instanceof ActivityFailure && rejectionOf(thrown.cause) ? thrown.cause : thrown;
    }
  };
  return {
    raise: async (event) => {
      const { requestId = timedUuid(uuid4(), runOfThis().clock.now()) } = event.options;
      const request = plainEvent({ ...event, options: { ...event.options, requestId } });
      return ask(`${event.event} ${titleOf(event)}`, (activities) => activities[RAISE_ACTIVITY](request));
    },
    result: async (accepted) =>
      ask(`result of ${about(accepted)}`, (activities) => activities[RESULT_ACTIVITY](accepted)),
    cancel: async (accepted) => ask(`cancel ${about(accepted)}`, (activities) => activities[CANCEL_ACTIVITY](accepted)),
    read: async (entity) => ask(`read ${titleOf(entity)}`, (activities) => activities[READ_ACTIVITY](entity)),
    reach: async (entity, states) =>
      ask(`wait for ${titleOf(entity)} in ${states.join(', ')}`, (activities) =>
        activities[REACH_ACTIVITY](entity, states),
      ),
  };
}

/** The event with a copy of what it carries. @throws ApplicationFailure where that is no JSON */
function plainEvent(raised: WorkflowEvent): WorkflowEvent {
  const { type, key, event, options, params, construct } = raised;
  const request = { id: options.requestId, event, params, ...(construct && { construct }) };
  try {
    const plain = plainRequest({ type, key: keyText(key) }, request);
    return { ...raised, params: plain.params, ...(plain.construct && { construct: plain.construct }) };
  } catch (thrown) {
    throw thrown instanceof Rejected ? rejectedFailure(thrown) : thrown;
  }
}

function about({ event, entity }: AcceptedEvent): string {
  return `${event} ${titleOf(entity)}`;
}

import { parseEntityId, type EntityRef } from './names.js';

/*
 * The names of distributed operations in Temporal. People read them in its UI.
 */

/** The workflow type of the coordinator of a target. I3 */
export const COORDINATOR_TYPE = 'Coordinator';
/** The workflow type of one run of an operation on a target. I3 */
export const DISTRIBUTED_TYPE = 'DistributedOperation';

/** The workflow id of the coordinator of a target: `coordinator/orders.sales/line_items`. */
export function coordinatorWorkflowId(target: string): string {
  return `coordinator/${target}`;
}

/** The word for distributed operations in ids and lists. */
export const DISTRIBUTED = 'distributed';

const DISTRIBUTED_PREFIX = `${DISTRIBUTED}/`;

/** The workflow id of an instance: `distributed/orders.sales/line_items/buildIndex/3`. */
export function distributedWorkflowId(instance: string): string {
  return `${DISTRIBUTED_PREFIX}${instance}`;
}

/** Tells whether an id is that of an instance or of a target. */
export function isDistributedId(id: string): boolean {
  return id.startsWith(DISTRIBUTED_PREFIX);
}

/** The name of the instance whose workflow an id names. */
export function distributedNameOf(workflowId: string): string {
  return workflowId.slice(DISTRIBUTED_PREFIX.length);
}

/** The task queue of the executors of a place, for the workflows of a task queue: `reeve/place/east`. I1 */
export function placeTaskQueue(taskQueue: string, place: string): string {
  return `${taskQueue}/place/${place}`;
}

/** The update of a coordinator that starts an operation. */
export const START_UPDATE = 'start';
/** The signal by which an instance tells its coordinator that it has ended. */
export const ENDED_SIGNAL = 'ended';
/** The query that reads a coordinator. */
export const COORDINATOR_QUERY = 'reeve_coordinator';
/** The update of an instance by which operators pause, resume, limit and cancel it. */
export const STEER_UPDATE = 'steer';
/** The signal that tells an instance that its target has changed. */
export const LOOK_SIGNAL = 'look';
/** The query that reads an instance as data. */
export const INSTANCE_QUERY = 'reeve_instance';
/** The query by which the executor of a lane asks whether to go on. */
export const VERDICT_QUERY = 'reeve_verdict';

/** The activities of executors. */
export const LANE_ACTIVITY = 'reeve.lane';
export const CLEAN_ACTIVITY = 'reeve.cleanUp';
export const TIDY_ACTIVITY = 'reeve.tidyUp';
/** The activities of workers that serve operations: where the partitions are, what is wrong with a start, completion, and whether an instance still runs. */
export const PLACEMENT_ACTIVITY = 'reeve.placement';
export const CHECK_ACTIVITY = 'reeve.checkStart';
export const COMPLETE_ACTIVITY = 'reeve.complete';
export const RUNS_ACTIVITY = 'reeve.runs';
/** The activity that finds the instances that run on a target. */
export const RUNNING_ACTIVITY = 'reeve.running';

/** The memo of an instance's workflow: its object. I4 */
export const OBJECT_MEMO = 'reeve_object';

/** On what an operation was opened: an entity, or the target of a distributed operation, `distributed/orders.sales/line_items`. */
export function parseOperationPlace(id: string): EntityRef | undefined {
  const target = isDistributedId(id) ? distributedNameOf(id) : '';
  return target === '' ? parseEntityId(id) : { type: DISTRIBUTED, key: target };
}

interface ParsedInstanceName {
  readonly target: string;
  readonly type: string;
  readonly instance: number;
}

/** The instance that a name tells: `orders.sales/line_items/buildIndex/3`. Nothing where it tells none. */
export function findInstanceName(name: string): ParsedInstanceName | undefined {
  const [, target, type, instance] = /^(.+)\/([^/]+)\/([1-9]\d{0,14})$/.exec(name) ?? [];
  return target !== undefined && type !== undefined ? { target, type, instance: Number(instance) } : undefined;
}

/** The same, of a name that Reeve has made. */
export function parseInstanceName(name: string): ParsedInstanceName {
  const found = findInstanceName(name);
  if (!found) throw new Error(`'${name}' is not the name of an operation, as in orders.sales/line_items/buildIndex/3.`);
  return found;
}

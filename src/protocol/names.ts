/*
 * The names of entities and operations in Temporal. People read them in its UI.
 */

/** An entity: `LogicalServer/orders`. */
export interface EntityRef {
  readonly type: string;
  readonly key: string;
}

const OPERATION_PREFIX = 'op/';

/** The workflow id of an entity, also its name for people: `LogicalServer/orders`. */
export function entityId(ref: EntityRef): string {
  return `${ref.type}/${ref.key}`;
}

/** Tells whether both name the same entity. */
export function sameEntity(one: EntityRef, other: EntityRef): boolean {
  return one.key === other.key && one.type === other.type;
}

/** The entity that an id names, or `undefined` when it names none. */
export function parseEntityId(id: string): EntityRef | undefined {
  const slash = id.indexOf('/');
  if (slash < 1 || slash === id.length - 1) return undefined;
  const type = id.slice(0, slash);
  return /^[A-Z]/.test(type) ? { type, key: id.slice(slash + 1) } : undefined;
}

/** The workflow id of an operation: `op/<operation id>`. */
export function operationWorkflowId(operation: string): string {
  return `${OPERATION_PREFIX}${operation}`;
}

/** The operation whose workflow an id names, or `undefined` when it names none. */
export function operationOf(workflowId: string): string | undefined {
  return workflowId.startsWith(OPERATION_PREFIX) ? workflowId.slice(OPERATION_PREFIX.length) : undefined;
}

/** The workflow type of all operations. */
export const OPERATION_TYPE = 'Operation';

/** The workflow type of all deployments: trees of components that run on their own. W1 */
export const DEPLOYMENT_TYPE = 'Deployment';
/** The query that reads a deployment's tree. */
export const TREE_QUERY = 'reeve_tree';

/** The workflow id of a deployment, which is the beginning of its components' absolute references: `deployment/shop`. */
export function deploymentWorkflowId(name: string): string {
  return entityId({ type: DEPLOYMENT, key: name });
}

/**
 * The workflow id and the path of an absolute reference to a component: `/deployment/shop/h1`, or, of what a state has deployed,
 * `/run/Shop/orders#LIFE.7/h1`.
 */
export function partsOfReference(reference: string): { readonly run: string; readonly path: string } {
  const [, run = '', path = ''] = /^\/(run\/.*#[^/#]+|[^/]+\/[^/]+)(?:\/(.*))?$/.exec(reference) ?? [];
  return { run, path };
}

/** The word that stands in the place of an entity's type in the name of a deployment. */
export const DEPLOYMENT = 'deployment';

/**
 * The signal that asks a workflow to go on in a new run as soon as nothing is under way, so that a newer build takes it over. No
 * event has a space in its name.
 */
export const WAKE_SIGNAL = 'take newer build';

/** The signal that tells an entity which execution of its actions did not end: by its name, and with why its thread has ended. */
export const ENDLESS_SIGNAL = 'end action';
/** The code with which an action fails when its code does not end. */
export const ENDLESS_CODE = 'endless_code';

/** The update that raises a batch of events; it comes as `raise create` (message-names.ts). */
export const RAISE_UPDATE = 'raise';
/** The update that waits for the outcome of an event that no operation follows yet. */
export const OUTCOME_UPDATE = 'tell outcome';
/** The query that reads an entity. */
export const SNAPSHOT_QUERY = 'reeve_snapshot';
/** The query for the transitions of which the store has yet to hear for good. A6 */
export const TRANSITIONS_QUERY = 'reeve_transitions';
/** The query that reads an operation. */
export const OPERATION_QUERY = 'reeve_operation_status';
/** The activity of every worker that reads how the last life of a key ended. */
export const LAST_LIFE_ACTIVITY = 'reeve.lastLife';
/** The activity that decides the next ticks of timers by calendar. */
export const NEXT_TICKS_ACTIVITY = 'reeve.nextTicks';
/** The activity of every worker that asks the store which records it lacks. */
export const CONFIRM_ACTIVITY = 'reeve.confirm';
/** The activity of every worker that brings records to the store. */
export const KEEP_ACTIVITY = 'reeve.keep';
/** The activity of every worker that asks the store which requests it knows. */
export const RECALL_ACTIVITY = 'reeve.recall';
/** The workflow type of a carrier of records. */
export const RECORDS_TYPE = 'Records';
/** The workflow type of the keeper, which finds entities that did not end by themselves. S4.4 */
export const KEEPER_TYPE = 'Keeper';
/** The workflow type of what raises an event for a Nexus operation. No entity type begins with `reeve`. */
export const NEXUS_EVENT_TYPE = 'reeveEvent';
/** The activity of every worker that finds such entities. */
export const FIND_LOSSES_ACTIVITY = 'reeve.findLosses';
/** The activity of every worker that tells the watchers of such entities. */
export const TELL_LOSSES_ACTIVITY = 'reeve.tellLosses';

/** The workflow id of the keeper of a task queue: `reeve/keeper/reeve`. */
export function keeperWorkflowId(taskQueue: string): string {
  return `reeve/keeper/${taskQueue}`;
}

/** The error type under which an update's validator refuses a batch: its details are the answers. */
export const BATCH_REJECTED = 'reeve_batch_rejected';

/** The error type under which an update's validator refuses a batch since the run is about to end: the next run takes it. */
export const RUN_CLOSING = 'reeve_run_closing';

/** The code with which a call fails when the one worker that may make it does not live any more. A5 */
export const WORKER_GONE = 'worker_gone';

/** The answer to a read that came before the task to which its news belong: the read is asked again. */
export const AHEAD_OF_HISTORY = 'something is about to happen here: read again';

/** An operator's event: runs an automatic action again whose attempts are used up. S3.5 */
export const RETRY_EVENT = 'reeve_retry';
/** An operator's event: marks `{ successor: 'Alias/orders' }` as lost, so that no entity waits for it. S4.4 */
export const LOSE_EVENT = 'reeve_lose';
/** An operator's event: waits longer for an answer from outside, `{ callback: 'its id', until: milliseconds since 1970 }`. A1 */
export const EXTEND_EVENT = 'reeve_extend';
/** An operator's event: waits for an answer from outside no longer, `{ callback: 'its id' }`. A1 */
export const REVOKE_EVENT = 'reeve_revoke';

/** The name under which a version of Temporal's Worker Versioning has the schemas that its build reads. Q2 */
export const SCHEMAS_NOTE = 'reeve.schemas';

/** The event of Reeve's own by which an entity comes to another schema. Q2 */
export const MIGRATE_EVENT = 'reeve_migrate';

/** The operator's events that take effect at once, also while an action runs. */
export const IMMEDIATE_EVENTS = [LOSE_EVENT, EXTEND_EVENT, REVOKE_EVENT] as const;
export type ImmediateEvent = (typeof IMMEDIATE_EVENTS)[number];

export function isImmediate(event: string): event is ImmediateEvent {
  return (IMMEDIATE_EVENTS as readonly string[]).includes(event);
}

/** The answer to a call that is answered from outside: its request id names the round of the call. A1 */
export const ANSWER_EVENT = 'reeve_answer';

/** Search attributes: the fleet-wide list of what runs. S5.2 */
export const SEARCH_ATTRIBUTES = {
  /** The state of an entity, or the phase of a deployment. */
  state: 'ReeveState',
  /** The health of an entity: `normal` or `error`. */
  health: 'ReeveHealth',
  /** Tells whether an entity has settled. */
  settled: 'ReeveSettled',
  /** The operation in which an entity takes part, or the id of an operation. */
  operation: 'ReeveOperation',
  /** How an operation ended, or `running`, or `hung` where it runs past its budget. */
  outcome: 'ReeveOutcome',
  /** The name of an operation for people: `create LogicalServer/orders`. */
  name: 'ReeveName',
  /** The tenant of an entity, an operation or a deployment. None where it belongs to no tenant. S6.5 */
  tenant: 'ReeveTenant',
  /** The component that was deployed. W1 */
  component: 'ReeveComponent',
} as const;

/** The task queue that entities, operations and resource calls use unless another one is set. */
export const DEFAULT_TASK_QUEUE = 'reeve';

import { DEPLOYMENT } from '../../protocol/names.js';
import {
  CALL_CALLERS,
  CANCEL_CALLERS,
  ERROR_TEXTS,
  EVENT_CALLERS,
  EVENT_RESULTS,
  EXECUTIONS,
  OWNED_TRANSITIONS,
  type StoreViews,
} from '../../store/index.js';
import type { Annotation } from '../odata/index.js';

/*
 * The members of rows beside their columns.
 */

/** Says where a person looks at its workflow. S5.6 */
export const EXECUTION_MEMBER = '@reeve.execution';

/** Says what its error is in full, where the error id leads to the cause that it shares with others. S5.5 */
export const ERROR_MEMBER = '@reeve.error';

/** Says of a transition which version of the entity it has made, as the ETag of the entity says it. S5.1 */
export const VERSION_MEMBER = '@reeve.version';

/** Says which caller has raised an event or answered a call, for those who may read the audit trail. S6.5 */
export const CALLER_MEMBER = '@reeve.caller';

/** Says which caller has asked to cancel an operation, for those who may read the audit trail. S6.5 */
export const CANCEL_CALLER_MEMBER = '@reeve.cancel_caller';

/** Says of an operation over partitions in which state its instance is, as it last told the store. S5.2 */
export const INSTANCE_STATE_MEMBER = '@reeve.instance_state';

/** Says of an operation over partitions how its instance has ended, or will once it has cleaned up. S5.2 */
export const INSTANCE_OUTCOME_MEMBER = '@reeve.instance_outcome';

/** Says of an event that has ended how it has: success, failed, rejected or canceled. S5.1 */
export const RESULT_MEMBER = '@reeve.result';

/** The members that the rows of a view have. */
export function membersOf(view: keyof StoreViews): Readonly<Record<string, Annotation>> {
  const [error, execution] = [ERRORS_IN_FULL[view], WORKFLOWS[view]];
  return {
    ...(error && { [ERROR_MEMBER]: error }),
    ...(execution && { [EXECUTION_MEMBER]: execution }),
    ...(view === 'operations' && {
      [CANCEL_CALLER_MEMBER]: CANCEL_CALLER,
      [INSTANCE_STATE_MEMBER]: ofInstance('state'),
      [INSTANCE_OUTCOME_MEMBER]: ofInstance('outcome'),
    }),
    ...(view === 'state_machine_events' && { [CALLER_MEMBER]: EVENT_CALLER, [RESULT_MEMBER]: RESULT }),
    ...(view === 'calls' && { [CALLER_MEMBER]: CALL_CALLER }),
    ...(view === 'state_machine_transitions' && { [VERSION_MEMBER]: VERSION }),
  };
}

const VERSION: Annotation = {
  ...{ table: OWNED_TRANSITIONS, column: 'tag', only: {} },
  on: [
    ['event_id', 'event_id'],
    ['transition_ordinal', 'transition_ordinal'],
  ],
};

const callerOf = (table: string, ...same: readonly string[]): Annotation => {
  return { table, column: 'subject', only: {}, guarded: true, on: same.map((name) => [name, name]) };
};
const EVENT_CALLER = callerOf(EVENT_CALLERS, 'event_id');
const CALL_CALLER = callerOf(CALL_CALLERS, 'event_id', 'transition_ordinal', 'call_place');
const CANCEL_CALLER = callerOf(CANCEL_CALLERS, 'request_id');

const ofInstance = (column: 'state' | 'outcome'): Annotation => {
  return { table: 'distributed_operations', column, only: {}, on: [['request_id', 'request_id']] };
};

const RESULT: Annotation = { table: EVENT_RESULTS, column: 'result', only: {}, on: [['event_id', 'event_id']] };

const textOf = (level: string, ...on: Annotation['on']): Annotation => {
  return { table: ERROR_TEXTS, column: 'message', only: { level }, on };
};

/** The texts of errors beyond their causes, which many rows share. S5.1, S5.5 */
const ERRORS_IN_FULL: { readonly [V in keyof StoreViews]?: Annotation } = {
  operations: textOf('operation', ['operation_id', 'id']),
  state_machine_events: textOf('event', ['event_id', 'id']),
  state_machine_transitions: textOf('transition', ['event_id', 'id'], ['transition_ordinal', 'ordinal']),
};

const workflowOf = (only: Annotation['only'], ...on: Annotation['on']): Annotation => {
  return { table: EXECUTIONS, column: 'workflow_id', only, on };
};
const OF_EVENT = workflowOf({ level: 'event' }, ['event_id', 'id']);
const OF_ENTITY = workflowOf({ level: 'entity' }, ['entity_type', 'type'], ['entity_key', 'key']);

/** The ids of their workflows. What is about an entity that never was has none. S5.6 */
const WORKFLOWS: { readonly [V in keyof StoreViews]?: Annotation } = {
  operations: workflowOf({ level: 'operation' }, ['operation_id', 'id']),
  state_machine_events: OF_EVENT,
  state_machine_transitions: OF_EVENT,
  calls: OF_EVENT,
  workflow_exceptions: OF_EVENT,
  entities: workflowOf({ level: 'entity' }, ['type', 'type'], ['key', 'key']),
  pending_callbacks: OF_ENTITY,
  rejected_events: OF_ENTITY,
  audit_trail: OF_ENTITY,
  deployments: workflowOf({ level: 'entity', type: DEPLOYMENT }, ['name', 'key']),
  components: workflowOf({ level: 'entity', type: DEPLOYMENT }, ['deployment', 'key']),
};

import type { EntityModel, Navigation, Served } from '../odata/index.js';
import { ALL_VIEWS, type StoreViews } from '../../store/index.js';
import { liveOperationSchema } from '../operation-representation.js';
import { objectProperties } from './declared-property.js';
import { STORE_ROOT } from './store-root.js';
import { viewModel } from './view-model.js';

/** The models of all that the store tells, by the names of its views. */
export type LevelModels = Readonly<Record<keyof StoreViews, EntityModel>>;

type Way = readonly [name: string, many: boolean, target: keyof StoreViews, ...on: Navigation['on']];

/**
 * The ways between the three levels, and to whatever else they name. They go along properties by which the store finds rows. S5.1
 */
const WAYS: { readonly [V in keyof StoreViews]?: readonly Way[] } = {
  operations: [
    ['events', true, 'state_machine_events', ['request_id', 'request_id']],
    ['workflow_error', false, 'workflow_errors', ['error_id', 'error_id']],
  ],
  state_machine_events: [
    ['operation', false, 'operations', ['request_id', 'request_id']],
    ['transitions', true, 'state_machine_transitions', ['event_id', 'event_id']],
    ['entity', false, 'entities', ['state_machine_type', 'type'], ['keys', 'key']],
    ['workflow_error', false, 'workflow_errors', ['error', 'error_id']],
  ],
  state_machine_transitions: [
    ['operation', false, 'operations', ['operation_id', 'operation_id']],
    ['event', false, 'state_machine_events', ['event_id', 'event_id']],
    ['workflow_error', false, 'workflow_errors', ['error_id', 'error_id']],
  ],
  calls: [
    ['operation', false, 'operations', ['operation_id', 'operation_id']],
    ['event', false, 'state_machine_events', ['event_id', 'event_id']],
  ],
  pending_callbacks: [['entity', false, 'entities', ['entity_type', 'type'], ['entity_key', 'key']]],
  workflow_exceptions: [
    ['operation', false, 'operations', ['operation_id', 'operation_id']],
    ['event', false, 'state_machine_events', ['event_id', 'event_id']],
  ],
  workflow_errors: [
    ['operations', true, 'operations', ['error_id', 'error_id']],
    ['events', true, 'state_machine_events', ['error_id', 'error']],
  ],
  components: [['of_deployment', false, 'deployments', ['life', 'life']]],
  rejected_events: [['entity', false, 'entities', ['entity_type', 'type'], ['entity_key', 'key']]],
  entities: [
    ['events', true, 'state_machine_events', ['type', 'state_machine_type'], ['key', 'keys']],
    ['current_operation', false, 'operations', ['operation', 'request_id']],
  ],
};

/** The address of a row, for rows that lead to collections. An operation is named by its request id, as everywhere. */
const SERVED: { readonly [V in keyof StoreViews]?: Served } = {
  operations: { path: `${STORE_ROOT}/operations/{id}`, by: ['request_id'] },
  state_machine_events: { path: `${STORE_ROOT}/events/{event_id}`, by: ['event_id'] },
  workflow_errors: { path: `${STORE_ROOT}/errors/{error_id}`, by: ['error_id'] },
  entities: { path: `${STORE_ROOT}/entities/{type}/{key}`, by: ['type', 'key'] },
};

const LIVE = objectProperties(liveOperationSchema);
/** The properties of an operation that the store knows a moment after the operation itself does. */
const LATE = ['operation_id', 'name', 'workflow_start_time', 'operation_first_response_time', 'restart_count'];

/** Describes what a query can ask of the store, level by level, with the ways that lead from one level to the next. S5.1, S6.2 */
export function levelModels(dimensions: readonly string[]): LevelModels {
  const entries = ALL_VIEWS.map(({ name }): [string, EntityModel] => {
    const ways = WAYS[name] ?? [];
    const navigation = ways.map(([way, many, target, ...on]) => ({
      name: way,
      many,
      target: () => models[target],
      on,
    }));
    const served = SERVED[name];
    const single = name === 'operations' && { live: LIVE, late: LATE };
    return [name, { ...viewModel(name, dimensions, navigation), ...(served && { served }), ...single }];
  });
  // There is one entry for each view.
  const models = Object.fromEntries(entries) as LevelModels;
  return models;
}

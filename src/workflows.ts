/*
 * `reeve/workflows`: for the module that a worker bundles as its workflow code.
 */
export {
  entityWorkflows,
  entityWorkflowsWith,
  type EntityWorkflowOptions,
  type EntityWorkflows,
} from './temporal/workflows.js';
export { proxyEntities, type Entities, type EntitiesOptions } from './temporal/proxy-entities.js';
export type { EntityState } from './temporal/entity-activities.js';
export { rejectionOf } from './temporal/rejected-failure.js';

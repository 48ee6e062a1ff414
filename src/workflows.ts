/*
 * `reeve/workflows`: for the module that a worker bundles as its workflow code.
 */
export {
  entityWorkflows,
  entityWorkflowsWith,
  type EntityWorkflowOptions,
  type EntityWorkflows,
} from './temporal/workflows.js';

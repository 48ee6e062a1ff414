/*
 * `reeve/workflows`: what the module needs that a worker bundles as workflow code.
 */
export type { EntityWorkflowOptions } from './temporal/entity-workflow.js';
export { entityWorkflows, workflowsOf } from './temporal/workflows.js';

/*
 * `reeve/workflows`: what the module needs that a worker bundles as workflow code.
 */
export { entityWorkflows, entityWorkflowsWith, type EntityWorkflowOptions } from './temporal/workflows.js';

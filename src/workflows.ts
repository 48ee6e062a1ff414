/*
 * `reeve/workflows`: what the module needs that a worker bundles as workflow code.
 */
export { entityWorkflows } from './temporal/workflows.js';

/*
 * Reeve as a library: what a program needs to declare entities, to run them and to work with them. Workflow code cannot import
 * this module. It imports `reeve/definition` and `reeve/workflows` instead, which are pure.
 */
export * from '../definition/index.js';
export { describeEntity, describePredicate, type EntityDescription } from '../definition/describe.js';
export { checkModel } from '../definition/model/check.js';
export { describePath, type ModelProblem, type ModelStep } from '../definition/model/problem.js';
export { mermaidDiagram } from '../definition/diagram.js';
export * from './client.js';
export * from './worker.js';

/*
 * `reeve/testing`: the project on a Temporal service of its own, for tests, with a worker or as a function of AWS Lambda.
 */
export { startTestProject, type TestProject, type TestProjectOptions } from '../project/test-project.js';
export { startTestFunction, type TestFunctionOptions } from '../project/test-function.js';

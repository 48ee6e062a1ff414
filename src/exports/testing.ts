/*
 * `reeve/testing`: the project on a Temporal service of its own, for tests.
 */
export { startTestProject, type TestProject, type TestProjectOptions } from '../project/test-project.js';

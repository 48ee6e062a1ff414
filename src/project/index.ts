/*
 * `reeve/project`: what a project brings to the processes that serve it. Its package.json names the modules. S3.9
 */
export type {
  ExecutorParts,
  OpenExecutor,
  OpenWorker,
  ProcessContext,
  StartMore,
  UpContext,
  WorkerParts,
} from './hooks.js';
export { Project } from './project.js';
export { runWorker } from './worker.js';
export { startProject, untilServiceAnswers, type RunningProject } from './up.js';

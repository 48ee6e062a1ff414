import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { WorkerDeploymentOptions, WorkflowBundleOption } from '@temporalio/worker';
import type { AnyEntity } from '../definition/entity.js';
import { schemasOf, type BuildSchemas } from './build-schemas.js';

/** Which version of the workflow code a worker runs. Q2 */
export interface WorkerVersion {
  /** All builds of the same application share this name. */
  readonly deployment: string;
  /** The name of this build. Workers with the same code have the same one. */
  readonly build: string;
  /**
   * The schemas of its entities that it reads: `schemasOf(entities)`. A rollout is refused where it could not be rolled back. An older build whose
   * workers have noted it before needs none.
   */
  readonly schemas?: BuildSchemas;
}

/** How many digits of the hash name a build: enough to tell builds apart, and few enough to type. */
const BUILD_DIGITS = 12;
/** The characters that Temporal does not take in the name of a deployment, or in that of a build. */
const NOT_ALLOWED = /[.:\s]/g;

/** The name of a build that nobody has named: the hash of its workflow code. */
export async function buildOf(bundle: WorkflowBundleOption): Promise<string> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath);
  return createHash('sha256').update(code).digest('hex').slice(0, BUILD_DIGITS);
}

/**
 * The version that the environment gives a worker: REEVE_BUILD names the build, `auto` names it by the hash of its workflow code,
 * and without it the worker has no version. REEVE_DEPLOYMENT names the deployment; else the task queue does. Temporal's Worker
 * Controller for Kubernetes sets TEMPORAL_WORKER_BUILD_ID and TEMPORAL_DEPLOYMENT_NAME; they count where ours are not set. Q2, Q3
 * @param entities what the workflow code declares; nothing where only another process knows it
 */
export async function versionFrom(
  env: NodeJS.ProcessEnv,
  taskQueue: string,
  bundle: WorkflowBundleOption,
  entities: readonly AnyEntity[] | undefined,
): Promise<WorkerVersion | undefined> {
  const named = buildFrom(env);
  if (!named) return undefined;
  return {
    deployment: deploymentFrom(env, taskQueue),
    build: named === 'auto' ? await buildOf(bundle) : named,
    ...(entities && { schemas: schemasOf(entities) }),
  };
}

/** The name of the build that the environment gives a worker, if it gives one. */
export function buildFrom(env: NodeJS.ProcessEnv): string | undefined {
  return env['REEVE_BUILD'] || env['TEMPORAL_WORKER_BUILD_ID'] || undefined;
}

/** The name of the deployment whose builds share a task queue. */
export function deploymentFrom(env: NodeJS.ProcessEnv, taskQueue: string): string {
  return env['REEVE_DEPLOYMENT'] || env['TEMPORAL_DEPLOYMENT_NAME'] || taskQueue.replaceAll(NOT_ALLOWED, '-');
}

/**
 * Every workflow stays on the build on which its run began (it is pinned): no history is ever replayed by another build. A workflow
 * changes its build where it goes on in a new run.
 */
export const VERSIONING = 'PINNED';

/** The settings by which a worker says its version. */
export function deploymentOptions({ deployment, build }: WorkerVersion): WorkerDeploymentOptions {
  return {
    useWorkerVersioning: true,
    version: { deploymentName: deployment, buildId: build },
    defaultVersioningBehavior: VERSIONING,
  };
}

import type { LambdaHandler, LambdaWorkerConfig } from '@temporalio/lambda-worker';
import type { RuntimeOptions } from '@temporalio/worker';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Resource } from '../../definition/resource.js';
import { DEFAULT_TASK_QUEUE } from '../../protocol/names.js';
import { UNENCRYPTED } from '../../secrecy/payload-settings.js';
import { schemasOf } from '../build-schemas.js';
import { connect } from '../connection.js';
import { startKeeper } from '../keeper/start.js';
import { noteSchemas } from '../note-schemas.js';
import type { RecordKeeper } from '../record-keeper.js';
import { temporalClient } from '../temporal-client.js';
import { VERSIONING } from '../worker-version.js';
import { entityServing, type EntityServingOptions } from '../worker.js';
import { CONNECTS_WITHIN_MS, FLUSH_MS, FORCED_AFTER_MS, GRACE_MS, KEPT_FREE_MS } from './invocation-time.js';
import { lambdaSdk } from './lambda-sdk.js';
import { misfits } from './misfits.js';

/*
 * handler.1. No memory is used by two invocations: each has its own connection, worker and store.
 * handler.2. An invocation ends only after the store has taken what its workflows have told, or has refused it. What it refuses, the
 *     entities bring again.
 */

/** What one invocation uses, and gives back at its end. */
export interface InvocationParts extends Pick<
  EntityServingOptions,
  'resources' | 'distributed' | 'calls' | 'payloads'
> {
  readonly records?: RecordKeeper;
  /** Writes what waits, and gives everything back. */
  close(): Promise<void>;
}

export interface LambdaOptions extends Pick<EntityServingOptions, 'taskQueue' | 'workflowBundle' | 'callbacks'> {
  /** The deployment and the build: what Lambda runs is always versioned. */
  readonly version: WorkerDeploymentVersion;
  /** The declarations of the entities that it runs: a rollout asks which schemas the build reads. Q2 */
  readonly entities: readonly AnyEntity[];
  /** The declarations of the resources that it serves: what does not fit into an invocation is refused. */
  readonly declared: readonly Resource[];
  readonly runtime?: RuntimeOptions;
  /** Opens what one invocation uses. */
  readonly open: () => Promise<InvocationParts>;
  /**
   * How often the keeper asks by itself which entities were ended by hand. Each time costs an invocation, so it is seldom: default 1 h. The
   * management service wakes it when there are any. S4.4
   */
  readonly lossesEvery?: Duration;
}

/**
 * A handler for AWS Lambda that runs a worker of entities, operations and calls for the time of one invocation. Temporal's Worker
 * Controller invokes it when tasks wait. It serves one task queue, and binds no calls to itself. Q3
 * @throws MissingPackage when `@temporalio/lambda-worker` is not installed
 * @throws (the handler) Error with all reasons, where something does not fit into the time of an invocation
 */
export function lambdaHandler(options: LambdaOptions): LambdaHandler {
  const { version, entities, ...served } = options;
  const noted = { deployment: version.deploymentName, build: version.buildId, schemas: schemasOf(entities) };
  const { declared, runtime = {}, lossesEvery = '1h', taskQueue = DEFAULT_TASK_QUEUE } = served;
  let config!: LambdaWorkerConfig;
  const runInvocation = lambdaSdk().runWorker(version, (given) => {
    config = given;
    config.workerOptions.taskQueue = taskQueue;
    config.shutdownDeadlineBufferMs = KEPT_FREE_MS;
    Object.assign(config.runtimeOptions, runtime);
    if (!config.connectionOptions?.address) {
      throw new Error(
        'Nothing names the Temporal service. Set TEMPORAL_ADDRESS, or put a profile file into the package.',
      );
    }
  });
  let [isKept, isNoted] = [false, false];
  return async (event, context) => {
    const remainingMs = context.getRemainingTimeInMillis();
    const reasons = misfits(declared, remainingMs);
    if (reasons.length > 0)
      throw new Error(`This cannot run in AWS Lambda:\n${reasons.map((r) => `- ${r}`).join('\n')}`);
    const parts = await options.open();
    const { payloads = UNENCRYPTED } = parts;
    const namespace = config.namespace ?? 'default';
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      await within(FLUSH_MS, parts.close(), 'The store has not taken the last records');
    };
    try {
      // Also finds out, with a clear error and in time, whether Temporal can be reached: the worker's own connection tries for longer.
      const connection = await connect({ ...config.connectionOptions, connectTimeout: CONNECTS_WITHIN_MS });
      try {
        const client = temporalClient({ connection, namespace, payloads });
        if (!isKept) await startKeeper(client, taskQueue);
        isKept = true;
        // Where it fails, the next invocation tries it again: a rollout waits for it, and nothing else does.
        if (!isNoted)
          isNoted = await noteSchemas(client, noted).then(
            () => true,
            () => false,
          );
      } finally {
        await connection.close();
      }
      config.workerOptions = {
        ...config.workerOptions,
        ...(await entityServing({ ...served, ...parts, namespace, lossesEvery, shutdownGraceMs: GRACE_MS })),
        shutdownForceTime: GRACE_MS + FORCED_AFTER_MS,
        workerDeploymentOptions: { defaultVersioningBehavior: VERSIONING },
      };
      config.shutdownHooks = [close];
      // The package of Temporal counts from when it is called, and connects after that. This holds whatever happens there.
      const untilFlushMs = context.getRemainingTimeInMillis() - FLUSH_MS;
      await within(untilFlushMs, runInvocation(event, context), 'The worker has not ended');
    } finally {
      await close();
    }
  };
}

/** @throws Error when the work takes longer; what comes of it later is not waited for */
async function within(limitMs: number, work: Promise<void>, what: string): Promise<void> {
  const over = new AbortController();
  const late = delay(limitMs, 'late' as const, { signal: over.signal }).catch(() => undefined);
  work.catch(() => undefined);
  try {
    const first = await Promise.race([work, late]);
    if (first === 'late') throw new Error(`${what} within ${(limitMs / 1_000).toFixed(1)} s.`);
  } finally {
    over.abort();
  }
}

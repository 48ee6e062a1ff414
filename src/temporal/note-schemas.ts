/*
 * Workers note at their version what their build reads of its entities. So whoever rolls builds out knows it of builds that are not
 * there. Q2
 */
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { setTimeout as delay } from 'node:timers/promises';
import { SCHEMAS_NOTE } from '../protocol/names.js';
import { workerSdk } from './worker-sdk.js';
import type { WorkerVersion } from './worker-version.js';

/** The gRPC status of a version of which Temporal has not heard yet. */
const NOT_FOUND = 5;
const AGAIN_MS = 500;

/** Notes the schemas, where the version tells them. @throws the error of Temporal: NOT_FOUND until a worker of the version has asked for work */
export async function noteSchemas(client: Client, { deployment, build, schemas }: WorkerVersion): Promise<void> {
  if (!schemas) return;
  const { namespace, identity } = client.options;
  await client.workflowService.updateWorkerDeploymentVersionMetadata({
    ...{ namespace, identity },
    deploymentVersion: { deploymentName: deployment, buildId: build },
    upsertEntries: { [SCHEMAS_NOTE]: defaultPayloadConverter.toPayload(schemas) },
  });
}

/** Notes them as soon as Temporal knows the version, and tries until the signal says that the worker has ended. */
export async function noteSchemasWhenKnown(client: Client, version: WorkerVersion, ended: AbortSignal): Promise<void> {
  let told = false;
  while (!ended.aborted) {
    try {
      return await noteSchemas(client, version);
    } catch (thrown) {
      const isUnknown = isGrpcServiceError(thrown) && Number(thrown.code) === NOT_FOUND;
      if (!isUnknown && !told) {
        const problem = `The schemas of the build '${version.build}' could not be noted, which is tried again: ${String(thrown)}`;
        workerSdk().Runtime.instance().logger.warn(problem);
        told = true;
      }
      await delay(AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
    }
  }
}

import { Connection } from '@temporalio/client';
import { join } from 'node:path';
import { findService, type ServiceLocation } from '../../stack/service.js';
import { missingSearchAttributes } from '../../temporal/search-attributes.js';
import { protoMilliseconds } from '../../client/explain/timestamp.js';
import { inWords } from '../explanation/time-words.js';
import { messageOf } from '../../definition/thrown.js';
import { lookAtBuilds } from './builds.js';
import { lookAtWorkers } from './workers.js';
import { ok, problem, type Check, type Finding, type Surroundings } from './finding.js';

const ANSWERS_WITHIN_MS = 5_000;
/** A worker that lives asks at least every 60 s. */
const ASKED_WITHIN_MS = 90_000;
/** temporal.api.enums.v1.TaskQueueType: the client has no names for them. */
const QUEUES = { workflows: 1, activities: 2 };

/** Tells whether the Temporal service answers, has the search attributes, and has a worker. */
export const temporalService: Check = {
  about: 'Temporal service',
  look: async (surroundings) => {
    const { env, configured } = surroundings;
    const about = 'Temporal service';
    let location: ServiceLocation;
    try {
      location = await findService(env);
    } catch (thrown) {
      return [problem(about, firstSentence(messageOf(thrown)), `Start a stack: reeve up. Or set TEMPORAL_ADDRESS.`)];
    }
    const { address } = location.connectionOptions;
    const options = { ...location.connectionOptions, connectTimeout: ANSWERS_WITHIN_MS };
    try {
      const connection = await Connection.connect(options);
      try {
        return await connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
          lookAtService(connection, location, surroundings),
        );
      } finally {
        await connection.close();
      }
    } catch (thrown) {
      const remedy = configured
        ? 'Correct TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the credentials beside them, or the profile file.'
        : `Read ${join(surroundings.home, 'log', 'temporal.log')}.`;
      return [problem(about, `${address}, namespace ${location.namespace}: ${messageOf(thrown)}`, remedy)];
    }
  },
};

async function lookAtService(
  connection: Connection,
  { connectionOptions, namespace }: ServiceLocation,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  return [
    ok('Temporal service', `${serverVersion} at ${connectionOptions.address}, namespace ${namespace}`),
    await lookAtSearchAttributes(connection, namespace),
    await lookForWorkers(connection, namespace, surroundings),
    ...(namespaceInfo?.capabilities?.workerHeartbeats
      ? await lookAtWorkers(connection, namespace, surroundings.taskQueue)
      : []),
    ...(await lookAtBuilds(connection, namespace, surroundings)),
  ];
}

async function lookAtSearchAttributes(connection: Connection, namespace: string): Promise<Finding> {
  const about = 'search attributes';
  const missing = Object.keys(await missingSearchAttributes(connection, namespace));
  if (missing.length === 0) return ok(about, 'registered');
  const remedy = `'reeve up' and registerSearchAttributes() register them; on a hosted service, an administrator does.`;
  return problem(about, `not registered: ${missing.join(', ')}`, remedy);
}

async function lookForWorkers(
  connection: Connection,
  namespace: string,
  { home, stack, taskQueue: name }: Surroundings,
): Promise<Finding> {
  const about = 'worker';
  const unserved: string[] = [];
  // A queue whose workers have ended may hide behind one that still has some.
  let longest = 0;
  const taskQueue = { name };
  for (const [tasks, taskQueueType] of Object.entries(QUEUES)) {
    const { pollers } = await connection.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType });
    const asked = (pollers ?? []).map(({ lastAccessTime }) => protoMilliseconds(lastAccessTime) ?? 0);
    const ago = Date.now() - Math.max(0, ...asked);
    if (ago > ASKED_WITHIN_MS) unserved.push(tasks);
    longest = Math.max(longest, ago);
  }
  if (unserved.length === 0) {
    const ended = `a worker that stops is still listed for ${ASKED_WITHIN_MS / 1_000} s`;
    return ok(about, `last polled the task queue '${name}' ${inWords(longest)} ago; ${ended}`);
  }
  const says = `no worker serves the ${unserved.join(' and ')} of the task queue '${name}'`;
  return problem(about, says, stack ? `Read ${join(home, 'log', 'worker.log')}.` : `Start one, or a stack: reeve up.`);
}

function firstSentence(text: string): string {
  return text.replace(/\.( .*)?$/s, '');
}

import type { Connection } from '@temporalio/client';
import { protoMilliseconds } from '../../client/explain/timestamp.js';
import { counted } from '../counted.js';
import { inWords } from '../explanation/time-words.js';
import { ok, type Finding } from './finding.js';

/** A worker, as it has said last. */
export type Heartbeat = NonNullable<
  NonNullable<
    Awaited<ReturnType<Connection['workflowService']['listWorkers']>>['workersInfo']
  >[number]['workerHeartbeat']
>;

/** A worker says how it is each minute. One that has missed two heartbeats has ended. */
const SAYS_WITHIN_MS = 130_000;
/** temporal.api.enums.v1.WorkerStatus: the client has no name for it. */
const SHUTDOWN = 3;
const MOST = 20;

/** How much each worker runs, for a Temporal service that keeps heartbeats of workers. Which call it is, only the entity tells. S5.4 */
export async function lookAtWorkers(
  connection: Connection,
  namespace: string,
  taskQueue: string,
): Promise<readonly Finding[]> {
  const { workersInfo } = await connection.workflowService.listWorkers({ namespace, pageSize: 1_000 });
  const heartbeats = (workersInfo ?? []).flatMap(({ workerHeartbeat }) => workerHeartbeat ?? []);
  return workerFindings(heartbeats, taskQueue, Date.now());
}

/** A line for each worker of a task queue, and of the queues below it, such as those of places. */
export function workerFindings(heartbeats: readonly Heartbeat[], taskQueue: string, now: number): readonly Finding[] {
  const alive = heartbeats.filter(
    ({ taskQueue: queue, status, heartbeatTime }) =>
      (queue === taskQueue || queue?.startsWith(`${taskQueue}/`)) &&
      status !== SHUTDOWN &&
      (protoMilliseconds(heartbeatTime) ?? 0) > now - SAYS_WITHIN_MS,
  );
  const shown = alive.slice(0, MOST).map((each) => ok('worker load', wordsOf(each, taskQueue, now)));
  const left = alive.length - shown.length;
  return left === 0 ? shown : [...shown, ok('worker load', `${left} more`)];
}

function wordsOf(heartbeat: Heartbeat, own: string, now: number): string {
  const { workerIdentity, taskQueue, deploymentVersion: version, heartbeatTime } = heartbeat;
  const { activityTaskSlotsInfo: activities, localActivitySlotsInfo: inline } = heartbeat;
  const calls = (activities?.currentUsedSlots ?? 0) + (inline?.currentUsedSlots ?? 0);
  const build = version?.deploymentName && version.buildId ? ` of build '${version.buildId}'` : '';
  const where = taskQueue === own ? '' : `, on '${taskQueue}'`;
  const ago = inWords(now - (protoMilliseconds(heartbeatTime) ?? now));
  return `${workerIdentity}${build}${where} ran ${counted(calls, 'call')} ${ago} ago`;
}

import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import { BEGUN_MEMO } from '../../protocol/operation-start.js';
import { servedBuilds } from '../../temporal/served-builds.js';
import { answerInTime } from '../answer-in-time.js';
import { failsInCode } from './lost-task.js';
import { readPendingTask, type PendingTask } from './pending-task.js';
import { failureMessage } from '../failure-message.js';
import { callTimes, type CallTimes } from './call-times.js';

/** A call of a resource that has not been answered. */
export interface PendingCall extends CallTimes {
  /** `databases.createInstance` */
  readonly call: string;
  /** `queued`: no worker has taken it. `retrying`: the worker that had it is lost, and it is made again at a time. */
  readonly state: 'queued' | 'running' | 'retrying' | 'paused' | 'canceling';
  /** The number of this execution of the call; above 1 after a worker was lost. */
  readonly attempt: number;
  readonly taskQueue: string;
  /** The identity of the worker that makes it, or made it last: `4203@host`, unless the worker has set another one. */
  readonly worker?: string;
  readonly lastFailure?: string;
}

/** All that the service knows of a workflow without asking a worker. */
export interface Execution {
  readonly running: boolean;
  /** Tells whether it has completed, and so has left its last snapshot or result. */
  readonly completed: boolean;
  /** Tells whether somebody has ended it by hand. */
  readonly terminated: boolean;
  readonly startedAt: number;
  /** The life of an entity: the first of its runs. */
  readonly life?: string;
  readonly taskQueue: string;
  readonly calls: readonly PendingCall[];
  readonly task?: PendingTask;
  /** Tells whether a task has waited long for a worker. */
  readonly untaken: boolean;
  /** The build on which its run began, where no worker serves that any more. Q2 */
  readonly unservedBuild?: string;
  /** The search attributes that it has shown last. */
  readonly shown: { readonly state?: string; readonly operation?: string; readonly outcome?: string };
}

// temporal.api.enums.v1: the client has no names for them.
const CALL_STATES: Readonly<Record<number, PendingCall['state']>> = {
  2: 'running',
  3: 'canceling',
  4: 'paused',
  5: 'paused',
};
/** A task that was queued just now means nothing. */
const NOTABLE_MS = 2_000;
/** Even a busy worker has taken a task after this time. */
const TAKEN_WITHIN_MS = 10_000;

/**
 * Tells whether a workflow does not answer because a worker is missing. A task that fails says nothing about missing workers, and one
 * that waits for its build nothing about other builds.
 */
export function isUnserved({ task, untaken, unservedBuild }: Execution): boolean {
  return (!task || !failsInCode(task) || untaken) && unservedBuild === undefined;
}

/**
 * Reads what the service knows; nothing where there is no such workflow. @throws Rejected `no_answer` when Temporal does not
 * answer
 */
export async function readExecution(client: Client, workflowId: string): Promise<Execution | undefined> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const described = await answerInTime(client, workflowId, () => handle.describe());
    const { raw, status, taskQueue, startTime, memo, searchAttributes: attributes } = described;
    const running = status.name === 'RUNNING';
    const pending = running ? await readPendingTask(client, described) : undefined;
    const waited = pending && !pending.task.started ? Date.now() - pending.queuedAt : 0;
    const shows = pending !== undefined && (pending.task.attempt > 1 || waited > NOTABLE_MS);
    const life = raw.workflowExecutionInfo?.firstRunId;
    const begun = memo?.[BEGUN_MEMO];
    const build = running ? await unservedBuild(client, raw, taskQueue) : undefined;
    const text = (name: string): string | undefined => attributes[name]?.[0]?.toString();
    const state = text(SEARCH_ATTRIBUTES.state);
    const operation = text(SEARCH_ATTRIBUTES.operation);
    const outcome = text(SEARCH_ATTRIBUTES.outcome);
    return {
      running,
      completed: status.name === 'COMPLETED',
      terminated: status.name === 'TERMINATED' || status.name === 'CANCELLED',
      startedAt: typeof begun === 'number' ? begun : startTime.getTime(),
      ...(life && { life }),
      taskQueue,
      calls: running
        ? await Promise.all((raw.pendingActivities ?? []).map((activity) => pendingCall(client, activity, taskQueue)))
        : [],
      ...(shows && { task: pending.task }),
      untaken: waited > TAKEN_WITHIN_MS,
      ...(build !== undefined && { unservedBuild: build }),
      shown: { ...(state && { state }), ...(operation && { operation }), ...(outcome && { outcome }) },
    };
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}

type Described = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>['raw'];

async function unservedBuild(client: Client, raw: Described, taskQueue: string): Promise<string | undefined> {
  const { deploymentName, buildId } = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion ?? {};
  if (!deploymentName || !buildId) return undefined;
  return (await servedBuilds(client, taskQueue)).has(`${deploymentName}:${buildId}`) ? undefined : buildId;
}

type Activity = NonNullable<Described['pendingActivities']>[number];

async function pendingCall(client: Client, activity: Activity, taskQueue: string): Promise<PendingCall> {
  const { activityType, state, attempt, lastFailure, activityOptions, lastWorkerIdentity: worker } = activity;
  const waits = activity.nextAttemptScheduleTime ? 'retrying' : 'queued';
  const failed = await failureMessage(client, lastFailure);
  const now = CALL_STATES[state ?? 0] ?? waits;
  return {
    call: activityType?.name ?? '',
    state: now,
    attempt: attempt ?? 1,
    taskQueue: activityOptions?.taskQueue?.name ?? taskQueue,
    ...(worker && { worker }),
    ...callTimes(activity, now === 'running', Date.now()),
    ...(failed !== undefined && { lastFailure: failed }),
  };
}

import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import {
  nameOf,
  NO_PARTITIONS,
  Stopping,
  type JobLedger,
  type LaneBeat,
  type LaneDriver,
  type LaneWork,
  type Verdict,
} from '../../distributed/index.js';
import { distributedWorkflowId, VERDICT_QUERY } from '../../protocol/distributed-names.js';
import { ask } from '../ask.js';
import type { LaneWatch } from './lane-watch.js';

/** How often it says that it lives, and how far it is, in milliseconds. */
export const BEAT_MS = 1_000;
/** After how long it ends between two jobs, and the pause between two questions, in milliseconds. */
const LANE_MS = 60_000;
const PAUSE_MS = 500;
/** How long the instance may take to answer whether the lane goes on, in milliseconds. */
const ANSWER_MS = 5_000;

const STOPS: Verdict = { kind: 'cancel', withdrawn: NO_PARTITIONS };
const INTERRUPTED: Verdict = { kind: 'pause', withdrawn: NO_PARTITIONS };

/** All that a lane says of itself each time: Temporal shows it, and readers take it from there. */
export type LaneSays = LaneBeat & { readonly number: number; readonly place: string };

/** The executor that a lane runs in. */
export interface LaneHost {
  readonly ledger: JobLedger;
  readonly client: Client;
  readonly watch: LaneWatch;
  /** Aborted when the executor is about to end. */
  readonly ending: AbortSignal;
}

/** A lane in the activity that is current. */
export function laneDriver({ ledger, client, watch, ending }: LaneHost, work: LaneWork): LaneDriver {
  const { heartbeat, cancellationSignal, info } = Context.current();
  const endsAt = Date.now() + LANE_MS;
  const told = new Stopping();
  const at = { number: work.number, place: work.place };
  let last: LaneBeat = { ended: 0 };
  const says = (): LaneSays => ({ ...at, ...last });
  const beats = setInterval(() => heartbeat(says()), BEAT_MS);
  const tell = () => told.stop();
  for (const signal of [cancellationSignal, ending]) {
    if (signal.aborted) tell();
    signal.addEventListener('abort', tell, { once: true });
  }
  const workflowId = distributedWorkflowId(nameOf(work));
  const unwatch = watch.add({ workflowId, activityId: info.activityId, tell });
  const handle = client.workflow.getHandle(workflowId);
  return {
    ledger,
    told,
    now: () => Date.now(),
    beat: (beat) => {
      last = beat;
      heartbeat(says());
    },
    verdict: async () => {
      if (ending.aborted) return INTERRUPTED;
      try {
        return await client.withDeadline(Date.now() + ANSWER_MS, async () => {
          // A workflow that was ended by force still answers, and as if it went on.
          const { status } = await handle.describe();
          return status.name === 'RUNNING' ? ask<Verdict>(handle, VERDICT_QUERY, work.number) : STOPS;
        });
      } catch (thrown) {
        // Without an answer it stops: whoever has the job next goes on from its progress.
        return thrown instanceof WorkflowNotFoundError ? STOPS : INTERRUPTED;
      }
    },
    pause: async () => void (await delay(PAUSE_MS)),
    timeIsUp: () => Date.now() >= endsAt || ending.aborted,
    end: () => {
      clearInterval(beats);
      unwatch();
      ending.removeEventListener('abort', tell);
    },
  };
}

/*
 * Tells lanes that they should ask whether to go on. A lane also hears that when it says that it lives; this is sooner. I5
 *
 * It reads of Temporal which activities are asked to end: no worker has to answer, and nothing is replayed for it.
 */
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { setTimeout as delay } from 'node:timers/promises';

/** The pause between two looks at an instance whose lanes run here, in milliseconds. */
const LOOK_EVERY_MS = 200;
/** How long Temporal may take to answer, in milliseconds. */
const ANSWER_MS = 5_000;

const { PENDING_ACTIVITY_STATE_CANCEL_REQUESTED } = proto.temporal.api.enums.v1.PendingActivityState;

/** A lane that runs here: an activity of its instance's workflow. */
export interface WatchedLane {
  readonly workflowId: string;
  readonly activityId: string;
  /** Called once, when the lane should ask. */
  tell(): void;
}

/** Looks at the instances of the lanes of one executor, once for all lanes of each. */
export class LaneWatch {
  readonly #client: Client;
  /** By the workflows of their instances. An instance is looked at as long as it is in here. */
  readonly #lanes = new Map<string, Set<WatchedLane>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Watches for a lane. Gives what ends that. */
  add(lane: WatchedLane): () => void {
    const { workflowId } = lane;
    const before = this.#lanes.get(workflowId);
    const lanes = before ?? new Set();
    lanes.add(lane);
    if (!before) {
      this.#lanes.set(workflowId, lanes);
      void this.#watch(workflowId, lanes);
    }
    return () => void lanes.delete(lane);
  }

  async #watch(workflowId: string, lanes: Set<WatchedLane>): Promise<void> {
    for (;;) {
      await delay(LOOK_EVERY_MS);
      if (lanes.size === 0) break;
      const asked = await this.#askedToEnd(workflowId);
      for (const lane of lanes) {
        if (!asked.has(lane.activityId)) continue;
        lanes.delete(lane);
        lane.tell();
      }
    }
    this.#lanes.delete(workflowId);
  }

  async #askedToEnd(workflowId: string): Promise<ReadonlySet<string>> {
    try {
      const { raw } = await this.#client.withDeadline(Date.now() + ANSWER_MS, () =>
        this.#client.workflow.getHandle(workflowId).describe(),
      );
      const activities = raw.pendingActivities ?? [];
      const asked = activities.filter(({ state }) => state === PENDING_ACTIVITY_STATE_CANCEL_REQUESTED);
      return new Set(asked.map(({ activityId }) => activityId!));
    } catch {
      // Temporal does not answer now, or the instance is gone: the lane hears of both when it says that it lives.
      return new Set();
    }
  }
}

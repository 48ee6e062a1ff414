import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { describe, expect, it, vi } from 'vitest';
import { LaneWatch } from '../../src/temporal/distributed/lane-watch.js';

const { PENDING_ACTIVITY_STATE_STARTED, PENDING_ACTIVITY_STATE_CANCEL_REQUESTED } =
  proto.temporal.api.enums.v1.PendingActivityState;

/** Temporal, as far as a watch asks it. */
class Service {
  readonly cancelled = new Set<string>();
  readonly looks: string[] = [];
  answers = true;

  get client(): Client {
    const describe = async (id: string) => {
      this.looks.push(id);
      if (!this.answers) throw new Error('no connection');
      const pendingActivities = ['1', '2'].map((activityId) => ({
        activityId,
        state: this.cancelled.has(`${id}:${activityId}`)
          ? PENDING_ACTIVITY_STATE_CANCEL_REQUESTED
          : PENDING_ACTIVITY_STATE_STARTED,
      }));
      return { raw: { pendingActivities } };
    };
    return {
      withDeadline: (_: number, ask: () => Promise<unknown>) => ask(),
      workflow: { getHandle: (id: string) => ({ describe: () => describe(id) }) },
    } as unknown as Client;
  }

  /** Until it was looked at this instance so many more times. */
  async looksAt(id: string, more = 2): Promise<void> {
    const wanted = this.looks.filter((each) => each === id).length + more;
    await vi.waitFor(
      () => expect(this.looks.filter((each) => each === id).length).toBeGreaterThanOrEqual(wanted),
      5_000,
    );
  }
}

function watched() {
  const service = new Service();
  const watch = new LaneWatch(service.client);
  const told: string[] = [];
  const add = (workflowId: string, activityId: string) =>
    watch.add({ workflowId, activityId, tell: () => told.push(`${workflowId}:${activityId}`) });
  return { service, told, add };
}

describe('I5 a lane hears soon that it should ask', () => {
  it('tells just the lane that is asked to end, once', async () => {
    const { service, told, add } = watched();
    const ends = [add('a', '1'), add('a', '2'), add('b', '1')];
    await service.looksAt('b');
    expect(told).toEqual([]);
    service.cancelled.add('a:2');
    await service.looksAt('a', 4);
    expect(told).toEqual(['a:2']);
    for (const end of ends) end();
  });

  it('goes on when Temporal does not answer', async () => {
    const { service, told, add } = watched();
    service.answers = false;
    service.cancelled.add('a:1');
    const end = add('a', '1');
    await service.looksAt('a');
    expect(told).toEqual([]);
    service.answers = true;
    await vi.waitFor(() => expect(told).toEqual(['a:1']), 5_000);
    end();
  });

  it('asks nothing of an instance without lanes, and asks again when it has one', async () => {
    const { service, told, add } = watched();
    add('a', '1')();
    const end = add('b', '1');
    await service.looksAt('b', 3);
    expect(service.looks).not.toContain('a');
    service.cancelled.add('a:2');
    add('a', '2');
    await service.looksAt('a', 1);
    await vi.waitFor(() => expect(told).toEqual(['a:2']), 5_000);
    end();
  });
});

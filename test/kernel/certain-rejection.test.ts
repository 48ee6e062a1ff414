import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { any, defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Puppet } from '../support/entities.js';

/** Is resized by itself, which fails in the end; a part that has failed sends it to Broken. */
const Disk = defineEntity('Disk', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Ready: stable(),
    Resizing: unstable({ retry: { attempts: 2, delay: '1s', exhausted: 'Stuck' } }),
    Stuck: stable({ health: 'error' }),
    Broken: stable({ health: 'error' }),
    Stopped: stable(),
    Gone: deleted(),
  },
  events: {
    make: { in: 'Absent' },
    resize: { in: 'Ready', otherwise: { Resizing: { code: 'already_in_progress' } } },
    check: { in: ['Ready', 'Stuck'] },
    mend: { in: 'Broken' },
    fall: { in: 'Ready' },
    stop: { in: 'Resizing', busy: 'abort' },
    start: { in: 'Stopped' },
    freeze: { in: 'Absent' },
    delete: { in: ['Stopped', 'Stuck'] },
  },
  actions: {
    make: { on: 'make', in: 'Absent', to: 'Resizing' },
    resize: { on: 'resize', in: 'Ready', to: 'Resizing' },
    grow: { in: 'Resizing', to: 'Ready' },
    check: { on: 'check', in: ['Ready', 'Stuck'] },
    mend: { on: 'mend', in: 'Broken', to: 'Ready' },
    fall: { on: 'fall', in: 'Ready', to: 'Broken' },
    stop: { on: 'stop', in: 'Resizing', to: 'Stopped' },
    start: { on: 'start', in: 'Stopped', to: 'Resizing' },
    freeze: { on: 'freeze', in: 'Absent', to: 'Stopped' },
    delete: { on: 'delete', in: ['Stopped', 'Stuck'], to: 'Gone' },
  },
  subscriptions: { failed: { when: any({ is: 'rejected' }), raise: 'fall' } },
});

/** A disk that grows. */
function growing(): Puppet {
  const disk = new Puppet(Disk);
  disk.raise('make');
  disk.end('Resizing');
  disk.startAutomatic();
  return disk;
}

describe('an event that comes while an action runs (S2.2, S2.3)', () => {
  it('is rejected at once, as is declared, where it is valid nowhere that the action may lead (certain-rejection.1)', () => {
    const disk = new Puppet(Disk);
    disk.raise('freeze');
    const before = disk.snapshot;
    expect(disk.raise('resize')).toMatchObject({
      status: 'rejected',
      rejection: { code: 'not_valid', state: 'Absent', message: expect.stringContaining('while Disk/k is Absent') },
    });
    expect(disk.snapshot).toEqual(before);
  });

  it('waits where it is valid in the state, in a target, or where used-up attempts lead (certain-rejection.2)', () => {
    for (const event of ['resize', 'check', 'fall']) {
      expect(growing().raise(event), event).toMatchObject({ status: 'waiting', behind: 'grow' });
    }
  });

  it('waits where a subscription or an event that need not wait may lead to its state (certain-rejection.2)', () => {
    // Ready, and from there by the subscription.
    expect(growing().raise('mend')).toMatchObject({ status: 'waiting' });
    // Stopped, by `stop`.
    expect(growing().raise('start')).toMatchObject({ status: 'waiting' });
    expect(growing().raise('freeze')).toMatchObject({ status: 'rejected', rejection: { code: 'not_valid' } });
  });

  it('waits where one that waits already may lead to its state (certain-rejection.2)', () => {
    const stopped = () => {
      const disk = new Puppet(Disk);
      disk.raise('freeze');
      return disk;
    };
    expect(stopped().raise('resize')).toMatchObject({ status: 'rejected' });
    const disk = stopped();
    expect(disk.raise('start')).toMatchObject({ status: 'waiting' });
    // By `start` it comes to Resizing alone.
    expect(disk.raise('resize')).toMatchObject({ status: 'rejected' });
    expect(disk.raise('stop')).toMatchObject({ status: 'waiting' });
  });

  it('waits where another entity reserves it or is about to: that one may lead it anywhere (certain-rejection.2, S3.6)', () => {
    const owner = { type: 'Clerk', key: 'c', life: 'l' };
    const reserver = {
      ...{ wait: 'w', from: owner, operation: 'o', leaseMs: 1, hold: 'action' as const, until: 9_000, askedAt: 1 },
    };
    const reservation = {
      ...{
        wait: 'w',
        owner,
        operation: 'o',
        fence: 1,
        until: 9_000,
        hold: 'action' as const,
        used: true,
        since: 0,
        looks: 0,
      },
    };
    for (const more of [{ reservers: [reserver] }, { reservation }] satisfies Partial<Snapshot>[]) {
      const disk = growing();
      disk.snapshot = { ...disk.snapshot, ...more };
      expect(disk.raise('freeze')).toMatchObject({ status: 'waiting' });
    }
  });

  it('is said to be rejected for whoever asks what is allowed, and to wait for nothing (S2.6)', () => {
    const disk = growing();
    const allowed = (event: string) => allowedEvents(Disk, disk.snapshot).find((each) => each.event === event);
    expect(allowed('freeze')).toMatchObject({ allowed: false, rejection: { code: 'not_valid' } });
    expect(allowed('freeze')).not.toHaveProperty('behind');
    expect(allowed('resize')).toMatchObject({ allowed: false, behind: 'grow' });
    expect(allowed('stop')).toEqual({ event: 'stop', allowed: true, behind: 'the abort of grow' });
  });
});

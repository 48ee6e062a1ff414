import {
  all,
  any,
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  or,
  stable,
  unstable,
} from 'reeve/definition';
import { z } from 'zod';

export const racks = defineResource('racks', {
  insert: { input: z.object({ disk: z.string() }), output: z.object({}) },
});

export const Disk = defineEntity('Disk', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Inserting: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Broken' } }),
    Ready: stable(),
    Broken: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: { create: { in: 'Absent' }, remove: { in: ['Ready', 'Broken'] } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Inserting' },
    insert: { in: 'Inserting', to: 'Ready' },
    remove: { on: 'remove', in: ['Ready', 'Broken'], to: 'Gone' },
  },
});

export const Machine = defineEntity('Machine', {
  key: z.string(),
  properties: z.object({ disks: z.array(z.string()).default([]) }),
  states: {
    Absent: initial(),
    AwaitingDisks: stable({ waiting: true, deadline: { after: '10m', raise: 'diskFailed' } }),
    Running: stable(),
    Failed: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent', params: z.object({ disks: z.array(z.string()) }) },
    disksReady: { in: 'AwaitingDisks', internal: true },
    diskFailed: { in: 'AwaitingDisks', internal: true },
    addDisk: { in: 'Running', params: z.object({ disk: z.string() }) },
    remove: { in: ['Running', 'Failed'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'AwaitingDisks', raises: ['Disk.create'] },
    run: { on: 'disksReady', in: 'AwaitingDisks', to: 'Running' },
    fail: { on: 'diskFailed', in: 'AwaitingDisks', to: 'Failed' },
    addDisk: { on: 'addDisk', in: 'Running', raises: ['Disk.create'] },
    remove: { on: 'remove', in: ['Running', 'Failed'], to: 'Gone' },
  },
  subscriptions: {
    ready: { when: all({ of: Disk, in: 'Ready' }), raise: 'disksReady' },
    failed: { when: or(any({ of: Disk, is: 'failed' }), any({ of: Disk, is: 'rejected' })), raise: 'diskFailed' },
  },
});

export const disk = implementActions(Disk, {
  begin: async (self) => self.goTo('Inserting'),
  insert: async (self) => {
    await self.call(racks.insert, { disk: self.key });
    return self.goTo('Ready');
  },
  remove: async (self) => self.goTo('Gone'),
});

export const machine = implementActions(Machine, {
  begin: async (self, { params }) => {
    self.properties.disks = params.disks;
    for (const key of params.disks) self.create(Disk, key, 'create'); // when this action ends
    return self.goTo('AwaitingDisks');
  },
  run: async (self) => self.goTo('Running'),
  fail: async (self) => self.goTo('Failed'),
  addDisk: async (self, { params }) => {
    const made = await self.createAndWait(Disk, params.disk, 'create', { within: '5m' }); // now
    if (made.status === 'rejected') return self.giveUp({ code: made.code, message: made.message });
    if (made.state !== 'Ready') return self.giveUp({ code: 'disk_failed', message: `The disk is ${made.state}.` });
    self.properties.disks.push(params.disk);
  },
  remove: async (self) => self.goTo('Gone'),
});

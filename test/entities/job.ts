import { z } from 'zod';
import { all, defineEntity, defineResource, initial, stable, terminal, unstable } from '../../src/definition/index.js';

/** A machine that works for some time. */
export const machines = defineResource('machines', {
  work: { input: z.object({ on: z.string() }), output: z.object({}), timeout: '1m', heartbeat: '3s' },
});

/** Work that takes time, and can be stopped while it runs. */
export const Job = defineEntity('Job', {
  key: z.string(),
  properties: z.object({ runs: z.number().default(0) }),
  states: {
    Idle: initial(),
    Working: unstable({ retry: { delay: '100ms', attempts: 3, exhausted: 'Broken' } }),
    Done: stable(),
    Stopped: stable(),
    Broken: stable({ health: 'error' }),
  },
  events: {
    start: { in: ['Idle', 'Done', 'Stopped', 'Broken'], budget: '10m' },
    stop: { in: ['Idle', 'Working'], busy: 'abort', interrupts: 'cancel' },
  },
  actions: {
    start: { on: 'start', in: ['Idle', 'Done', 'Stopped', 'Broken'], to: 'Working' },
    work: { in: 'Working', to: 'Done' },
    stop: { on: 'stop', in: ['Idle', 'Working'], to: 'Stopped' },
  },
  cancel: 'stop',
});

/** Starts jobs and rests for them. */
export const Batch = defineEntity('Batch', {
  key: z.string(),
  properties: z.object({ jobs: z.array(z.string()).default([]) }),
  states: { New: initial(), Running: stable({ waiting: true }), Finished: terminal() },
  events: { run: { params: z.object({ jobs: z.array(z.string()) }), in: 'New' }, finished: { in: 'Running' } },
  actions: {
    run: { on: 'run', in: 'New', to: 'Running' },
    finish: { on: 'finished', in: 'Running', to: 'Finished' },
  },
  subscriptions: { finished: { when: all({ of: Job, is: 'settled' }), raise: 'finished' } },
});

/** Has a batch run, and waits for all of it. */
export const Plan = defineEntity('Plan', {
  key: z.string(),
  properties: z.object({ batch: z.string().optional() }),
  states: { Open: initial(), Carried: terminal() },
  events: { carryOut: { params: z.object({ jobs: z.array(z.string()) }), in: 'Open' } },
  actions: { carryOut: { on: 'carryOut', in: 'Open', to: 'Carried' } },
});

/** Has a job done, and waits for it. */
export const Caller = defineEntity('Caller', {
  key: z.string(),
  properties: z.object({ said: z.string().optional() }),
  states: { Open: initial(), Answered: terminal() },
  events: { call: { in: 'Open' } },
  actions: { call: { on: 'call', in: 'Open', to: 'Answered' } },
});

/** Has another one below it, down to a depth. */
export const Floor = defineEntity('Floor', {
  key: z.string(),
  properties: z.object({}),
  states: { Planned: initial(), Building: stable({ waiting: true }), Built: terminal() },
  events: { build: { params: z.object({ depth: z.number() }), in: 'Planned' }, built: { in: 'Building' } },
  actions: {
    build: { on: 'build', in: 'Planned', to: ['Building', 'Built'] },
    finish: { on: 'built', in: 'Building', to: 'Built' },
  },
  subscriptions: { built: { when: all({ of: 'Floor', in: 'Built' }), raise: 'built' } },
});

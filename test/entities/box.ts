import { z } from 'zod';
import {
  all,
  alreadyDone,
  alreadyInProgress,
  any,
  defineEntity,
  defineResource,
  deleted,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';

/** A resource whose behaviour each test chooses. */
export const shelf = defineResource('shelf', {
  put: {
    input: z.object({ name: z.string() }),
    output: z.object({ place: z.number() }),
    // A test may hold it for long, on a busy machine.
    timeout: '10m',
    heartbeat: '10s',
    summary: 'put {name} on the shelf',
  },
  look: { input: z.object({ name: z.string() }), output: z.object({ place: z.number() }), answer: 'inline' },
});

/** A thing with a resource: created with retries, relabelled at once, deleted. */
export const Box = defineEntity('Box', {
  key: z.string().regex(/^[a-z0-9-]+$/, 'write lower-case letters, digits and hyphens'),
  properties: z.object({ place: z.number().optional(), label: z.string().default('none') }),
  states: {
    Absent: initial(),
    Placing: unstable({ retry: { attempts: 4, delay: '100ms', exhausted: 'Clearing' } }),
    Placed: stable(),
    Clearing: unstable({ health: 'error' }),
    Lost: stable({ health: 'error' }),
    Deleted: deleted(),
  },
  events: {
    place: {
      params: z.object({ label: z.string().min(1) }),
      in: 'Absent',
      otherwise: { Placing: alreadyInProgress(), Placed: alreadyDone() },
    },
    relabel: { params: z.object({ label: z.string() }), in: 'Placed' },
    look: { in: 'Placed' },
    break: { in: 'Placed' },
    remove: { in: ['Placed', 'Lost'] },
  },
  actions: {
    begin: { on: 'place', in: 'Absent', to: 'Placing' },
    put: { in: 'Placing', to: 'Placed' },
    relabel: { on: 'relabel', in: 'Placed' },
    look: { on: 'look', in: 'Placed', to: 'Placed' },
    break: { on: 'break', in: 'Placed', to: 'Placed' },
    clear: { in: 'Clearing', to: 'Lost' },
    remove: { on: 'remove', in: ['Placed', 'Lost'], to: 'Deleted' },
  },
});

/** A thing that waits for its boxes. */
export const Room = defineEntity('Room', {
  key: z.string(),
  properties: z.object({ boxes: z.array(z.string()).default([]) }),
  states: {
    Absent: initial(),
    Furnishing: unstable(),
    Waiting: stable({ waiting: true }),
    Ready: stable(),
    Failed: stable({ health: 'error' }),
    Emptying: unstable(),
    Deleted: deleted(),
  },
  events: {
    furnish: { params: z.object({ boxes: z.array(z.string()) }), in: 'Absent' },
    boxesPlaced: { in: 'Waiting' },
    boxLost: { in: 'Waiting' },
    empty: { in: ['Ready', 'Failed'] },
  },
  actions: {
    begin: { on: 'furnish', in: 'Absent', to: 'Furnishing' },
    order: { in: 'Furnishing', to: 'Waiting' },
    finish: { on: 'boxesPlaced', in: 'Waiting', to: 'Ready' },
    fail: { on: 'boxLost', in: 'Waiting', to: 'Failed' },
    beginEmptying: { on: 'empty', in: ['Ready', 'Failed'], to: 'Emptying' },
    empty: { in: 'Emptying', to: 'Deleted' },
  },
  subscriptions: {
    placed: { when: all({ of: Box, in: 'Placed' }), raise: 'boxesPlaced' },
    lost: { when: any({ of: Box, is: 'failed' }), raise: 'boxLost' },
  },
});

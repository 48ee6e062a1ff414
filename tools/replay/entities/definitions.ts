import { z } from 'zod';
import {
  all,
  defineEntity,
  defineResource,
  deleted,
  initial,
  stable,
  terminal,
  unstable,
  type AnyEntity,
} from '../../../src/definition/index.js';
import { controlPlane } from '../../../workflows/definitions.js';

/** A resource that takes some time, and fails at times. */
export const parts = defineResource('parts', {
  make: { input: z.object({ name: z.string() }), output: z.object({ made: z.number() }), summary: 'make {name}' },
  look: { input: z.object({ name: z.string() }), output: z.object({ seen: z.number() }), answer: 'inline' },
  consult: {
    input: z.object({ name: z.string(), part: z.number() }),
    output: z.object({ part: z.number() }),
    answer: 'callback',
    within: '15s',
    summary: 'ask about part {part} of {name}',
  },
});

/** Counts the events that it accepts. None may be lost, and none may count twice. */
export const Counter = defineEntity('Counter', {
  key: z.string(),
  properties: z.object({ count: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Deleted: deleted() },
  events: { open: { in: 'Absent' }, add: { in: 'Open' }, look: { in: 'Open' }, delete: { in: 'Open' } },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    add: { on: 'add', in: 'Open' },
    look: { on: 'look', in: 'Open' },
    delete: { on: 'delete', in: 'Open', to: 'Deleted' },
  },
});

/** Something that is made by calls. */
export const Box = defineEntity('Box', {
  key: z.string(),
  properties: z.object({ made: z.number().optional() }),
  states: {
    Absent: initial(),
    Making: unstable({ retry: { attempts: 6, delay: '200ms', exhausted: 'Broken' } }),
    Placed: stable(),
    Broken: stable({ health: 'error' }),
    Deleted: deleted(),
  },
  events: { make: { in: 'Absent' }, remake: { in: ['Placed', 'Broken'] }, remove: { in: ['Placed', 'Broken'] } },
  actions: {
    begin: { on: 'make', in: 'Absent', to: 'Making' },
    make: { in: 'Making', to: 'Placed' },
    remake: { on: 'remake', in: ['Placed', 'Broken'], to: 'Making' },
    remove: { on: 'remove', in: ['Placed', 'Broken'], to: 'Deleted' },
  },
});

/** Asks those outside, who answer late, twice, or never. */
export const Inquiry = defineEntity('Inquiry', {
  key: z.string(),
  properties: z.object({ heard: z.array(z.number()).default([]) }),
  states: {
    Absent: initial(),
    Asking: unstable({ retry: { attempts: 20, delay: '200ms', exhausted: 'Unanswered' } }),
    Answered: terminal(),
    Unanswered: terminal({ health: 'error' }),
  },
  events: { ask: { in: 'Absent' } },
  actions: {
    begin: { on: 'ask', in: 'Absent', to: 'Asking' },
    ask: { in: 'Asking', to: 'Answered' },
  },
});

/** Creates boxes, waits for them, and lets them be removed again. */
export const Room = defineEntity('Room', {
  key: z.string(),
  properties: z.object({ boxes: z.array(z.string()).default([]) }),
  states: {
    Absent: initial(),
    Furnishing: stable({ waiting: true }),
    Furnished: stable(),
    Emptying: unstable({ retry: { attempts: 20, delay: '500ms', exhausted: 'Stuck' } }),
    Stuck: stable({ health: 'error' }),
    Deleted: deleted(),
  },
  events: {
    furnish: { params: z.object({ boxes: z.array(z.string()) }), in: 'Absent' },
    furnished: { in: 'Furnishing' },
    empty: { in: ['Furnished', 'Stuck'] },
  },
  actions: {
    furnish: { on: 'furnish', in: 'Absent', to: 'Furnishing' },
    finish: { on: 'furnished', in: 'Furnishing', to: 'Furnished' },
    beginEmptying: { on: 'empty', in: ['Furnished', 'Stuck'], to: 'Emptying' },
    empty: { in: 'Emptying', to: 'Deleted' },
  },
  subscriptions: { furnished: { when: all({ of: Box, is: 'settled' }), raise: 'furnished' } },
});

/** Lives by its timers. */
export const Lamp = defineEntity('Lamp', {
  key: z.string(),
  properties: z.object({ blinks: z.number().default(0) }),
  states: { Off: initial(), On: stable({ deadline: { after: '7s', raise: 'burnOut' } }), Out: stable() },
  events: { light: { in: ['Off', 'Out'] }, blink: { in: 'On' }, burnOut: { in: 'On' } },
  actions: {
    light: { on: 'light', in: ['Off', 'Out'], to: 'On' },
    blink: { on: 'blink', in: 'On' },
    burnOut: { on: 'burnOut', in: 'On', to: 'Out' },
  },
  timers: { blinking: { every: '3s', raise: 'blink' } },
});

/** An account, between which transfers move money. */
export const Account = defineEntity('Account', {
  key: z.string(),
  properties: z.object({ balance: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: {
    open: { params: z.object({ balance: z.number() }), in: 'Absent' },
    add: { params: z.object({ amount: z.number() }), in: 'Open' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    add: { on: 'add', in: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

/** Reserves two accounts and moves money between them. Both accounts change, or none. */
export const Transfer = defineEntity('Transfer', {
  key: z.string(),
  properties: z.object({ from: z.string(), to: z.string(), amount: z.number(), lease: z.string() }).partial(),
  states: {
    Absent: initial(),
    Moving: unstable({ retry: { attempts: 100, delay: '300ms', maxDelay: '2s', exhausted: 'Failed' } }),
    Done: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: {
    move: {
      params: z.object({ from: z.string(), to: z.string(), amount: z.number(), lease: z.string() }),
      in: 'Absent',
    },
  },
  actions: { begin: { on: 'move', in: 'Absent', to: 'Moving' }, move: { in: 'Moving', to: 'Done' } },
});

/** The entities that are verified: those that are shipped, and those that have each way in which an entity can wait. */
export const verified: readonly AnyEntity[] = [...controlPlane, Counter, Box, Inquiry, Room, Lamp, Account, Transfer];

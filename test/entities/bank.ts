import { z } from 'zod';
import { defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';

/** A thing with an automatic action and a timer, on which several clerks work. */
export const Account = defineEntity('Account', {
  key: z.string(),
  properties: z.object({ balance: z.number().default(0), ticks: z.number().default(0) }),
  states: {
    Absent: initial(),
    Open: stable(),
    Counting: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Open' } }),
    Closed: deleted(),
  },
  events: {
    open: { in: 'Absent' },
    put: { params: z.object({ amount: z.number() }), in: ['Open', 'Counting'] },
    count: { in: 'Open' },
    tick: { in: ['Open', 'Counting'] },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    put: { on: 'put', in: ['Open', 'Counting'] },
    startCount: { on: 'count', in: 'Open', to: 'Counting' },
    count: { in: 'Counting', to: 'Open' },
    tick: { on: 'tick', in: ['Open', 'Counting'] },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
  timers: { interest: { raise: 'tick', every: '1h' } },
});

/** A thing that reads and reserves others, also others of its own kind. */
export const Clerk = defineEntity('Clerk', {
  key: z.string(),
  properties: z.object({
    seen: z.array(z.string()).default([]),
    fence: z.number().optional(),
    account: z.string().optional(),
  }),
  states: { Idle: initial(), Paying: unstable({ retry: { attempts: 2, delay: '1s', exhausted: 'Idle' } }) },
  events: {
    look: { params: z.object({ account: z.string() }), in: 'Idle' },
    /** Reserves two accounts, and raises an event on each. */
    transfer: { params: z.object({ from: z.string(), to: z.string(), amount: z.number() }), in: 'Idle' },
    /** Reserves an account, calls the shelf, and raises an event on the account. */
    ponder: {
      params: z.object({ account: z.string(), lease: z.string(), count: z.boolean().default(false) }),
      in: 'Idle',
    },
    /** Reserves an account for as long as the operation lasts; another action raises the event. */
    pay: { params: z.object({ account: z.string() }), in: 'Idle' },
    /** Reserves accounts in the order in which they are given. */
    pick: { params: z.object({ accounts: z.array(z.string()) }), in: 'Idle' },
    /** Reserves another clerk. */
    swap: { params: z.object({ other: z.string() }), in: 'Idle' },
    /** Raises an event on another clerk and waits. */
    ask: {
      params: z.object({ other: z.string(), event: z.enum(['swap', 'nod']), next: z.string().default('') }),
      in: 'Idle',
    },
    nod: { in: 'Idle' },
  },
  actions: {
    look: { on: 'look', in: 'Idle' },
    transfer: { on: 'transfer', in: 'Idle' },
    ponder: { on: 'ponder', in: 'Idle' },
    pay: { on: 'pay', in: 'Idle', to: 'Paying' },
    finishPaying: { in: 'Paying', to: 'Idle' },
    pick: { on: 'pick', in: 'Idle' },
    swap: { on: 'swap', in: 'Idle' },
    ask: { on: 'ask', in: 'Idle' },
    nod: { on: 'nod', in: 'Idle' },
  },
});

import { z } from 'zod';
import {
  any,
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../../src/definition/index.js';

/*
 * A small bank in which many entities wait for the same few purses.
 */

export const books = defineResource('books', {
  check: { input: z.object({ name: z.string() }), output: z.object({}) },
});

export const Purse = defineEntity('Purse', {
  key: z.string(),
  properties: z.object({ balance: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Closed: deleted() },
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

const DAY_MS = 24 * 3_600_000;
const WITHIN = { within: DAY_MS };

/** A lease that outlasts every transfer, and one that ends now and then before its transfer is done. */
const LEASES = ['12h', '1s'] as const;

/** Reserves two purses and moves an amount from one to the other. With the amount 0, it only waits for its turn. */
export const Transfer = defineEntity('Transfer', {
  key: z.string(),
  properties: z.object({
    from: z.string().default(''),
    to: z.string().default(''),
    amount: z.number().default(0),
    lease: z.enum(LEASES).default('12h'),
  }),
  states: { Absent: initial(), Moving: unstable({ retry: { delay: '500ms' } }), Done: stable(), Filed: deleted() },
  events: {
    start: {
      params: z.object({ from: z.string(), to: z.string(), amount: z.number(), lease: z.enum(LEASES).default('12h') }),
      in: 'Absent',
    },
    confirm: { in: 'Done' },
    file: { in: 'Done' },
  },
  actions: {
    start: { on: 'start', in: 'Absent', to: 'Moving' },
    move: { in: 'Moving', to: 'Done' },
    confirm: { on: 'confirm', in: 'Done' },
    file: { on: 'file', in: 'Done', to: 'Filed' },
  },
});

/**
 * Waits for several transfers, other auditors and purses at once, so that probes have many ways to the same purse. It watches the
 * purses for life, so each auditor owes its judgement of what the others have asked.
 */
export const Auditor = defineEntity('Auditor', {
  key: z.string(),
  properties: z.object({ confirmed: z.number().default(0) }),
  states: { Idle: initial(), Gone: deleted() },
  events: {
    audit: {
      params: z.object({
        transfers: z.array(z.string()),
        auditors: z.array(z.string()),
        purses: z.array(z.string()).default([]),
        withinMs: z.number().default(DAY_MS),
      }),
      in: 'Idle',
    },
    answer: { in: 'Idle' },
    alarm: { in: 'Idle', internal: true },
    leave: { in: 'Idle' },
  },
  actions: {
    audit: { on: 'audit', in: 'Idle' },
    answer: { on: 'answer', in: 'Idle' },
    alarm: { on: 'alarm', in: 'Idle' },
    leave: { on: 'leave', in: 'Idle', to: 'Gone' },
  },
  subscriptions: { alarm: { when: any({ of: Purse, is: 'failed' }), raise: 'alarm', among: 'life' } },
});

/** Reads a purse so often that something is always under way to it. */
export const Watcher = defineEntity('Watcher', {
  key: z.string(),
  properties: z.object({ purse: z.string().default(''), left: z.number().default(0) }),
  states: { Absent: initial(), Watching: unstable({ wait: '100ms', retry: { delay: '100ms' } }), Done: terminal() },
  events: { watch: { params: z.object({ purse: z.string(), times: z.number() }), in: 'Absent' } },
  actions: {
    watch: { on: 'watch', in: 'Absent', to: 'Watching' },
    look: { in: 'Watching', to: ['Watching', 'Done'] },
  },
});

export const BANK = [
  implementActions(Purse, {
    open: async (purse, { params }) => {
      purse.properties.balance = params.balance;
      return purse.goTo('Open');
    },
    add: async (purse, { params }) => {
      purse.properties.balance += params.amount;
    },
    close: async (purse) => purse.goTo('Closed'),
  }),
  implementActions(Transfer, {
    start: async (transfer, { params }) => {
      Object.assign(transfer.properties, params);
      return transfer.goTo('Moving');
    },
    move: async (transfer) => {
      const { from, to, amount, lease } = transfer.properties;
      await transfer.reserveAll(
        [
          [Purse, from],
          [Purse, to],
        ],
        { lease, ...WITHIN },
      );
      await transfer.call(books.check, { name: transfer.key });
      if (amount !== 0) {
        transfer.raise(Purse, from, 'add', { amount: -amount });
        transfer.raise(Purse, to, 'add', { amount });
      }
      return transfer.goTo('Done');
    },
    confirm: async () => undefined,
    file: async (transfer) => transfer.goTo('Filed'),
  }),
  implementActions(Auditor, {
    audit: async (auditor, { params: { transfers, auditors, purses, withinMs } }) => {
      const within = { within: withinMs };
      const asked = [
        ...transfers.map((key) => auditor.raiseAndWait(Transfer, key, 'confirm', within)),
        ...auditors.map((key) => auditor.raiseAndWait(Auditor, key, 'answer', within)),
        ...purses.map((key) => auditor.raiseAndWait(Purse, key, 'add', { amount: 0 }, within)),
      ];
      const answers = await Promise.allSettled(asked);
      auditor.properties.confirmed += answers.filter(({ status }) => status === 'fulfilled').length;
    },
    answer: async () => undefined,
    alarm: async () => undefined,
    leave: async (auditor) => auditor.goTo('Gone'),
  }),
  implementActions(Watcher, {
    watch: async (watcher, { params: { purse, times } }) => {
      Object.assign(watcher.properties, { purse, left: times });
      return watcher.goTo('Watching');
    },
    look: async (watcher) => {
      await watcher.read(Purse, watcher.properties.purse, WITHIN);
      watcher.properties.left--;
      return watcher.properties.left > 0 ? watcher.goTo('Watching', { wait: '100ms' }) : watcher.goTo('Done');
    },
  }),
];

import { defineEntity, implementActions, initial, stable, terminal, unstable } from 'reeve/definition';
import { z } from 'zod';

/** A bank account, whose balance never falls below zero. */
export const Account = defineEntity('Account', {
  key: z.string(),
  construct: z.object({ balance: z.int() }),
  properties: z.object({ balance: z.int().default(0) }),
  states: {
    Absent: initial(),
    Open: stable(),
    Frozen: terminal(),
  },
  events: {
    create: { in: 'Absent' },
    book: { params: z.object({ amount: z.int() }), in: 'Open' },
    freeze: { in: 'Open' },
  },
  actions: {
    open: { on: 'create', in: 'Absent', to: 'Open' },
    book: { on: 'book', in: 'Open' },
    freeze: { on: 'freeze', in: 'Open', to: 'Frozen' },
  },
});

const order = z.object({ from: z.string(), to: z.string(), amount: z.int().positive() });

/** Moves money from one account to another one. Both accounts book it, or neither does. */
export const Transfer = defineEntity('Transfer', {
  key: z.string(),
  properties: order.partial(),
  states: {
    Absent: initial(),
    Moving: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Failed' } }),
    Done: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: { create: { params: order, in: 'Absent' } },
  actions: {
    start: { on: 'create', in: 'Absent', to: 'Moving' },
    move: { in: 'Moving', to: 'Done', raises: ['Account.book'] },
  },
});

export const account = implementActions(Account, {
  open: async (self) => self.goTo('Open'),
  book: async (self, { params }) => {
    self.properties.balance += params.amount;
  },
  freeze: async (self) => self.goTo('Frozen'),
});

export const transfer = implementActions(Transfer, {
  start: async (self, { params }) => {
    Object.assign(self.properties, params);
    return self.goTo('Moving');
  },
  move: async (self) => {
    const { from = '', to = '', amount = 0 } = self.properties;
    const [source] = await self.reserveAll([
      [Account, from],
      [Account, to],
    ]);
    // Until this action ends, nobody else books on the two accounts: the balance stays as it is read here.
    if (!source || source.properties.balance < amount) {
      return self.giveUp({ code: 'insufficient_funds', message: `${from} has less than ${amount}.` });
    }
    self.raise(Account, from, 'book', { amount: -amount });
    self.raise(Account, to, 'book', { amount });
    // The events are raised when the action ends. If one account would reject its event, the action fails and the other one books nothing.
    return self.goTo('Done');
  },
});

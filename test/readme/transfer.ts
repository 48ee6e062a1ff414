import { defineEntity, implementActions, initial, terminal, unstable } from 'reeve/definition';
import { z } from 'zod';

export const Account = defineEntity('Account', {
  key: z.string(),
  construct: z.object({ balance: z.number() }),
  properties: z.object({ balance: z.number().default(0) }),
  states: { Open: initial(), Frozen: terminal() },
  events: {
    add: { params: z.object({ amount: z.number() }), in: 'Open' },
    freeze: { in: 'Open' },
  },
  actions: { add: { on: 'add', in: 'Open' }, freeze: { on: 'freeze', in: 'Open', to: 'Frozen' } },
});

export const Transfer = defineEntity('Transfer', {
  key: z.string(),
  properties: z.object({ from: z.string(), to: z.string(), amount: z.number() }).partial(),
  states: {
    Absent: initial(),
    Moving: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Done: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: {
    start: { params: z.object({ from: z.string(), to: z.string(), amount: z.number() }), in: 'Absent' },
  },
  actions: {
    start: { on: 'start', in: 'Absent', to: 'Moving' },
    move: { in: 'Moving', to: 'Done', raises: ['Account.add'] },
  },
});

export const account = implementActions(Account, {
  add: async (app, { params }) => {
    app.properties.balance += params.amount;
  },
  freeze: async (app) => app.goTo('Frozen'),
});

export const transfer = implementActions(Transfer, {
  start: async (app, { params }) => {
    Object.assign(app.properties, params);
    return app.goTo('Moving');
  },
  move: async (app) => {
    const { from = '', to = '', amount = 0 } = app.properties;
    const [source] = await app.reserveAll([
      [Account, from],
      [Account, to],
    ]);
    if (!source || source.properties.balance < amount) app.giveUp({ code: 'too_little', message: `${from} has less` });
    app.raise(Account, from, 'add', { amount: -amount });
    app.raise(Account, to, 'add', { amount });
    return app.goTo('Done'); // by both accounts, or by none
  },
});

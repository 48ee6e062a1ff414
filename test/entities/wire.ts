import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';

/** A bank: it is called by an activity, inline, and by a callback. */
export const bank = defineResource('bank', {
  transfer: {
    input: z.object({
      account: z.string(),
      amount: z.number(),
      memo: z.string(),
      login: z.object({ user: z.string(), code: z.string().meta({ writeOnly: true }) }),
    }),
    output: z.object({ receipt: z.string(), token: z.string() }),
  },
  rate: {
    input: z.object({ currency: z.string() }),
    output: z.object({ rate: z.number(), session: z.string().meta({ format: 'password' }) }),
    answer: 'inline',
  },
  confirm: {
    input: z.object({ amount: z.number() }),
    output: z.object({ by: z.string() }),
    answer: 'callback',
    within: '1d',
  },
});

/** A transfer of money: what goes in and comes out has secrets of all kinds. */
export const Wire = defineEntity('Wire', {
  key: z.string(),
  properties: z.object({ iban: z.string().default(''), amount: z.number().default(0), by: z.string().default('') }),
  secret: ['iban'],
  dimensions: { tenant: 'tenant' },
  roles: { read: ['reader', 'owner', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] },
  states: {
    Absent: initial(),
    Sending: unstable({ retry: { attempts: 3, delay: '100ms', exhausted: 'Failed' } }),
    Confirming: unstable(),
    Sent: stable(),
    Failed: terminal({ health: 'error' }),
  },
  events: {
    send: {
      params: z.object({
        iban: z.string(),
        amount: z.number(),
        memo: z.string().default(''),
        pin: z.string().optional().meta({ writeOnly: true }),
        apiKey: z.string().optional(),
        lines: z.array(z.string()).optional(),
      }),
      in: 'Absent',
    },
    rate: { params: z.object({ currency: z.string() }), in: 'Sent' },
    confirm: { in: 'Sent' },
    note: { params: z.object({ text: z.string() }), in: ['Sent', 'Confirming'] },
  },
  actions: {
    begin: { on: 'send', in: 'Absent', to: 'Sending' },
    transfer: { in: 'Sending', to: 'Sent' },
    rate: { on: 'rate', in: 'Sent' },
    beginConfirming: { on: 'confirm', in: 'Sent', to: 'Confirming' },
    confirm: { in: 'Confirming', to: 'Sent' },
    note: { on: 'note', in: ['Sent', 'Confirming'] },
  },
});

export const wire = implementActions(Wire, {
  begin: async (app, { params }) => {
    Object.assign(app.properties, { iban: params.iban, amount: params.amount });
    return app.goTo('Sending');
  },
  transfer: async (app) => {
    const { iban, amount } = app.properties;
    const login = { user: 'reeve', code: 'code-of-login' };
    await app.call(bank.transfer, { account: iban, amount, memo: `to ${iban}`, login });
    return app.goTo('Sent');
  },
  rate: async (app, { params }) => {
    await app.call(bank.rate, params);
  },
  beginConfirming: async (app) => app.goTo('Confirming'),
  confirm: async (app) => {
    app.properties.by = (await app.call(bank.confirm, { amount: app.properties.amount })).by;
    return app.goTo('Sent');
  },
  note: async () => undefined,
});

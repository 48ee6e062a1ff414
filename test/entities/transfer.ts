import { z } from 'zod';
import {
  defineEntity,
  deleted,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
  type Duration,
} from '../../src/definition/index.js';
import { shelf } from './box.js';

/** Money of somebody; nobody can change it while it is frozen. */
export const Purse = defineEntity('Purse', {
  key: z.string(),
  properties: z.object({ money: z.number().default(0), counted: z.number().default(0) }),
  states: {
    Absent: initial(),
    Open: stable(),
    Counting: unstable({ retry: { attempts: 100, delay: '1s', exhausted: 'Open' } }),
    Frozen: stable(),
    Gone: deleted(),
  },
  events: {
    open: { params: z.object({ money: z.number() }), in: 'Absent' },
    add: { params: z.object({ amount: z.number() }), in: 'Open' },
    count: { in: 'Open' },
    freeze: { in: 'Open' },
    close: { in: ['Open', 'Frozen'] },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    add: { on: 'add', in: 'Open' },
    startCount: { on: 'count', in: 'Open', to: 'Counting' },
    count: { in: 'Counting', to: 'Open' },
    freeze: { on: 'freeze', in: 'Open', to: 'Frozen' },
    close: { on: 'close', in: ['Open', 'Frozen'], to: 'Gone' },
  },
});

const amounts = z.object({
  from: z.string(),
  to: z.string(),
  amount: z.number(),
  lease: z.string().default('1m'),
  attempts: z.number().default(20),
});

/** Moves money from one purse to another: by both, or not at all. */
export const Transfer = defineEntity('Transfer', {
  key: z.string(),
  properties: amounts.partial(),
  states: {
    Absent: initial(),
    Moving: unstable({ retry: { attempts: 20, delay: '500ms', exhausted: 'Failed' } }),
    Done: terminal(),
    Refused: terminal(),
    Failed: terminal({ health: 'error' }),
  },
  events: { start: { params: amounts, in: 'Absent' } },
  actions: {
    start: { on: 'start', in: 'Absent', to: 'Moving' },
    move: { in: 'Moving', to: ['Done', 'Refused'], raises: ['Purse.add'] },
  },
});

/** Reserves two purses for an operation, and acts on them in one action after the other; each also by events of its own. */
export const Errand = defineEntity('Errand', {
  key: z.string(),
  properties: z.object({ left: z.number().default(0) }),
  states: {
    Idle: initial(),
    Walking: unstable({ retry: { attempts: 10, delay: '500ms', exhausted: 'Idle' } }),
    Strolling: unstable({ wait: '10ms', retry: { attempts: 10, delay: '500ms', exhausted: 'Idle' } }),
  },
  events: {
    /** Adds 1 to both, so often, in one operation. */
    walk: { params: z.object({ times: z.number(), lease: z.string().default('1m') }), in: 'Idle' },
    /** Without reserving it: nobody asks what becomes of it. */
    freeze: { params: z.object({ purse: z.string(), mayBeRejected: z.boolean() }), in: 'Idle' },
  },
  actions: {
    walk: { on: 'walk', in: 'Idle', to: 'Walking' },
    /** Not back to the same state: that would be another attempt, which raises the same again. */
    step: { in: ['Walking', 'Strolling'], to: ['Walking', 'Strolling', 'Idle'] },
    freeze: { on: 'freeze', in: 'Idle' },
  },
});

export const purse = implementActions(Purse, {
  open: async (app, { params }) => {
    app.properties.money = params.money;
    return app.goTo('Open');
  },
  add: async (app, { params }) => {
    app.properties.money += params.amount;
  },
  startCount: async (app) => app.goTo('Counting'),
  count: async (app) => {
    await app.call(shelf.put, { name: app.key });
    app.properties.counted++;
    return app.goTo('Open');
  },
  freeze: async (app) => app.goTo('Frozen'),
  close: async (app) => app.goTo('Gone'),
});

export const transfer = implementActions(Transfer, {
  start: async (app, { params }) => {
    Object.assign(app.properties, params);
    return app.goTo('Moving');
  },
  move: async (app) => {
    const { from, to, amount, lease, attempts } = amounts.parse(app.properties);
    if (app.attempt > attempts) return app.goTo('Refused');
    const [source, target] = await app.reserveAll(
      [
        [Purse, from],
        [Purse, to],
      ],
      { lease: lease as Duration, within: '10m' },
    );
    if (!source || !target || source.properties.money < amount) return app.goTo('Refused');
    await app.call(shelf.put, { name: app.key });
    app.raise(Purse, from, 'add', { amount: -amount });
    app.raise(Purse, to, 'add', { amount });
    return app.goTo('Done');
  },
});

export const errand = implementActions(Errand, {
  walk: async (app, { params }) => {
    await app.reserveAll(
      [
        [Purse, 'a'],
        [Purse, 'b'],
      ],
      { lease: params.lease as Duration, until: 'operation' },
    );
    app.properties.left = params.times;
    return app.goTo('Walking');
  },
  step: async (app) => {
    await app.call(shelf.put, { name: app.key });
    for (const key of ['a', 'b']) app.raise(Purse, key, 'add', { amount: 1 });
    app.properties.left--;
    if (app.properties.left === 0) return app.goTo('Idle');
    return app.goTo(app.state === 'Walking' ? 'Strolling' : 'Walking');
  },
  freeze: async (app, { params: { purse: key, mayBeRejected } }) => {
    app.raise(Purse, key, 'freeze', { mayBeRejected });
  },
});

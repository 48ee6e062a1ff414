import { implementActions } from '../../../src/definition/index.js';
import { Account, Box, Counter, Inquiry, Lamp, parts, Room, Transfer } from './definitions.js';

export const counter = implementActions(Counter, {
  open: async (app) => app.goTo('Open'),
  add: async (app) => {
    app.properties.count++;
  },
  look: async (app) => {
    await app.call(parts.look, { name: app.key });
  },
  delete: async (app) => app.goTo('Deleted'),
});

export const box = implementActions(Box, {
  begin: async (app) => app.goTo('Making'),
  make: async (app) => {
    app.properties.made = (await app.call(parts.make, { name: app.key })).made;
    return app.goTo('Placed');
  },
  remake: async (app) => app.goTo('Making'),
  remove: async (app) => app.goTo('Deleted'),
});

export const inquiry = implementActions(Inquiry, {
  begin: async (app) => app.goTo('Asking'),
  ask: async (app) => {
    const { key: name } = app;
    const first = await app.call(parts.consult, { name, part: 0 });
    const { answers } = await app.collect(
      [1, 2, 3].map((part) => [parts.consult, { name, part }] as const),
      { until: { answers: 2 }, within: '15s' },
    );
    app.properties.heard = [first.part, ...answers.map(({ output }) => output.part)];
    return app.goTo('Answered');
  },
});

export const room = implementActions(Room, {
  furnish: async (app, { params }) => {
    app.properties.boxes = params.boxes;
    for (const name of params.boxes) app.create(Box, name, 'make');
    return app.goTo('Furnishing');
  },
  finish: async (app) => app.goTo('Furnished'),
  beginEmptying: async (app) => app.goTo('Emptying'),
  empty: async (app) => {
    for (const name of app.properties.boxes) {
      const outcome = await app.raiseAndWait(Box, name, 'remove', { within: '1m' });
      if (outcome.status === 'rejected' && !['absent', 'gone'].includes(outcome.code)) throw new Error(outcome.message);
    }
    return app.goTo('Deleted');
  },
});

export const lamp = implementActions(Lamp, {
  light: async (app) => app.goTo('On'),
  blink: async (app) => {
    app.properties.blinks++;
  },
  burnOut: async (app) => app.goTo('Out'),
});

export const account = implementActions(Account, {
  open: async (app, { params }) => {
    app.properties.balance = params.balance;
    return app.goTo('Open');
  },
  add: async (app, { params }) => {
    app.properties.balance += params.amount;
  },
  close: async (app) => app.goTo('Closed'),
});

export const transfer = implementActions(Transfer, {
  begin: async (app, { params }) => {
    Object.assign(app.properties, params);
    return app.goTo('Moving');
  },
  move: async (app) => {
    const { from, to, amount, lease } = app.properties;
    await app.reserveAll(
      [
        [Account, from!],
        [Account, to!],
      ],
      { lease: lease as '1s', within: '10m' },
    );
    await app.call(parts.look, { name: app.key });
    app.raise(Account, from!, 'add', { amount: -amount! });
    app.raise(Account, to!, 'add', { amount: amount! });
    return app.goTo('Done');
  },
});

import { implementActions } from '../../../src/definition/index.js';
import * as before from './actions.js';
import { Counter, Lamp, parts, Room } from './definitions.js';

/* Actions of the next build: they make other calls, so no history of the build before it replays on it. */

export const counter = implementActions(Counter, {
  ...before.counter.actions,
  add: async (app) => {
    await app.call(parts.look, { name: app.key });
    app.properties.count++;
  },
});

export const room = implementActions(Room, {
  ...before.room.actions,
  finish: async (app) => {
    await app.call(parts.look, { name: app.key });
    return app.goTo('Furnished');
  },
});

export const lamp = implementActions(Lamp, {
  ...before.lamp.actions,
  blink: async (app) => {
    await app.call(parts.look, { name: app.key });
    app.properties.blinks++;
  },
});

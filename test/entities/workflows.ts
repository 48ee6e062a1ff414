import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { Box, Room, shelf } from './box.js';

export const box = implementActions(Box, {
  begin: async (app, { params }) => {
    app.properties.label = params.label;
    return app.goTo('Placing');
  },
  put: async (app) => {
    const { place } = await app.call(shelf.put, { name: app.key });
    app.properties.place = place;
    return app.goTo('Placed');
  },
  relabel: async (app, { params }) => {
    app.properties.label = params.label;
  },
  look: async (app) => {
    const { place } = await app.call(shelf.look, { name: app.key });
    app.properties.place = place;
    return app.goTo('Placed');
  },
  break: async (app) => {
    app.properties.label = 'never seen';
    const nothing = undefined as unknown as { readonly name: string };
    app.properties.label = nothing.name;
    return app.goTo('Placed');
  },
  clear: async (app) => app.goTo('Lost'),
  remove: async (app) => app.goTo('Deleted'),
});

export const room = implementActions(Room, {
  begin: async (app, { params }) => {
    app.properties.boxes = params.boxes;
    return app.goTo('Furnishing');
  },
  order: async (app) => {
    for (const name of app.properties.boxes) app.create(Box, name, 'place', { label: app.key });
    return app.goTo('Waiting');
  },
  finish: async (app) => app.goTo('Ready'),
  fail: async (app) => app.goTo('Failed'),
  beginEmptying: async (app) => app.goTo('Emptying'),
  empty: async (app) => {
    for (const name of app.properties.boxes) {
      const outcome = await app.raiseAndWait(Box, name, 'remove', { within: '10m' });
      if (outcome.status === 'rejected' && outcome.code !== 'absent') throw new Error(outcome.message);
    }
    return app.goTo('Deleted');
  },
});

export default entityWorkflows(box, room);

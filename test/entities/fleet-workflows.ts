import { implementActions } from '../../src/definition/index.js';
import { Fleet, Ship } from './fleet.js';

export const ship = implementActions(Ship, {
  launch: async (app) => app.goTo('Running'),
  scrap: async (app) => app.goTo('Deleted'),
});

/** The first of its ships leads it. */
export const fleet = implementActions(Fleet, {
  launch: async (app, { params: { ships } }) => {
    for (const [index, key] of ships.entries()) {
      app.create(Ship, key, 'launch', index === 0 ? { role: 'flagship' } : {});
    }
    app.links.flagship = ships[0];
    app.links.ships = ships;
    return app.goTo('Launching');
  },
  finish: async (app) => app.goTo('Ready'),
  refit: async (app) => app.goTo('Ready'),
  relaunch: async (app, { params: { ship: key } }) => {
    app.create(Ship, key, 'launch');
    return app.goTo('Launching');
  },
  degrade: async (app) => app.goTo('Degraded'),
  stop: async (app) => app.goTo('Headless'),
});

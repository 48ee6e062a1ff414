import { implementActions } from '../../src/definition/index.js';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { depot, office, parcel } from './parcel-actions.js';
import { Site } from './site.js';
import { Seed, Town } from './town.js';

export const site = implementActions(Site, {
  begin: async (app) => app.goTo('Building', { wait: 0 }),
  build: async (app) => {
    app.properties.port = 80;
    app.links.databases = ['first'];
    return app.goTo('Open');
  },
  guard: async (app, { params }) => {
    app.subordinates.firewallRules[params.name] = { from: '10.0.0.1', to: '10.0.0.9' };
  },
  archive: async (app) => app.goTo('Archived'),
  seal: async (app) => app.goTo('Sealed'),
  drop: async (app) => app.goTo('Deleted'),
});

export const seed = implementActions(Seed, { grow: async (app) => app.goTo('Grown') });

const town = implementActions(Town, {
  found: async (app, { params }) => {
    for (const name of params.sites) app.construct(Site, name, { size: 2, application: app.key });
    app.construct(Seed, app.key, { colour: 'green' }, { role: 'park' });
    return app.goTo('Waiting');
  },
  finish: async (app) => app.goTo('Ready'),
  refuse: async (app) => app.goTo('Refused'),
  leave: async (app) => app.goTo('Absent'),
});

export default entityWorkflows(site, seed, town, depot, parcel, office);

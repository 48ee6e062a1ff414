import { aliases } from '../../activities/alias/contract.js';
import { implementActions, type PropertiesOf, type ResourceContext } from '../../src/definition/index.js';
import { Alias } from './definition.js';

export const alias = implementActions(Alias, {
  begin: async (app, { params }) => {
    app.properties.application = params.application;
    return app.goTo('Creating');
  },
  point: async (app) => {
    await point(app, app.properties);
    return app.goTo('Ready');
  },
  repoint: async (app, { params }) => {
    app.properties.application = params.application;
    return app.goTo('Pointing');
  },
  pointAgain: async (app) => {
    await point(app, app.properties);
    return app.goTo('Ready');
  },
  beginInspection: async (app) => app.goTo('Inspecting'),
  inspect: async (app) => {
    const { bound } = await app.call(aliases.inspect, { name: app.key });
    return app.goTo(bound ? 'Ready' : 'Unbound');
  },
  bindAgain: async (app) => {
    await point(app, app.properties);
    return app.goTo('Ready');
  },
  cleanUp: async (app) => {
    await app.call(aliases.remove, { name: app.key });
    return app.goTo('Failed');
  },
  beginDeletion: async (app) => app.goTo('Deleting'),
  remove: async (app) => {
    await app.call(aliases.remove, { name: app.key });
    return app.goTo('Deleted');
  },
});

async function point(app: ResourceContext, properties: PropertiesOf<typeof Alias>): Promise<void> {
  const { application = app.key } = properties;
  const { host, port } = await app.call(aliases.point, { name: app.key, application });
  properties.host = host;
  properties.port = port;
}

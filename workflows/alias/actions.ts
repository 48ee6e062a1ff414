import { aliases } from '../../activities/alias/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { implementActions } from '../../src/definition/index.js';
import { Alias } from './definition.js';

export const alias = implementActions(Alias, {
  begin: async (app, { params }) => {
    app.properties.application = params.application;
    return app.goTo('Creating');
  },
  point: async (app) => {
    const target = await app.call(databases.locateInstance, { application: app.properties.application ?? app.key });
    const { host, port } = await app.call(aliases.point, { name: app.key, target });
    app.properties.host = host;
    app.properties.port = port;
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

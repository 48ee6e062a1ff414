import { databases } from '../../activities/databases/contract.js';
import { implementActions } from '../../src/definition/index.js';
import { SqlApplication } from './definition.js';

export const sqlApplication = implementActions(SqlApplication, {
  begin: async (app) => app.goTo('Creating'),
  install: async (app) => {
    const { host, port } = await app.call(databases.createInstance, { application: app.key });
    app.properties.host = host;
    app.properties.port = port;
    return app.goTo('Ready');
  },
  cleanUp: async (app) => {
    await app.call(databases.dropInstance, { application: app.key });
    return app.goTo('Failed');
  },
  beginDeletion: async (app) => app.goTo('Deleting'),
  uninstall: async (app) => {
    await app.call(databases.dropInstance, { application: app.key });
    return app.goTo('Deleted');
  },
});

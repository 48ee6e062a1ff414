import { databases } from '../../activities/databases/contract.js';
import { implementActions, type PropertiesOf } from '../../src/definition/index.js';
import { SqlApplication } from './definition.js';

/** Reasons why a standby cannot take over, however often it is tried. Somebody has to decide. */
const FOR_AN_OPERATOR = ['standby_stale', 'primary_unreachable', 'not_caught_up'];

export const sqlApplication = implementActions(SqlApplication, {
  begin: async (app, { params }) => {
    const { server, dataCluster, copyOf, standbyOf: primary } = params;
    Object.assign(app.properties, { server, dataCluster, copyOf, primary });
    return app.goTo('Creating');
  },
  install: async (app) => {
    const { dataCluster, copyOf, primary } = app.properties;
    if (primary !== undefined) {
      await app.call(databases.createStandby, { application: app.key, dataCluster, primary });
      return app.goTo('Following');
    }
    const { host, port } = await app.call(databases.createInstance, {
      application: app.key,
      dataCluster,
      ...(copyOf !== undefined && { copyOf }),
    });
    app.properties.host = host;
    app.properties.port = port;
    return app.goTo('Ready');
  },
  beginInspection: async (app) => app.goTo('Inspecting'),
  inspect: async (app) => {
    const { healthy, lagBytes } = await app.call(databases.inspectStandby, { application: app.key });
    if (lagBytes !== undefined) app.properties.lagBytes = lagBytes;
    return app.goTo(healthy ? 'Following' : 'Refreshing');
  },
  refresh: async (app) => {
    const { dataCluster } = app.properties;
    await app.call(databases.dropInstance, { application: app.key });
    const primary = primaryOf(app.properties);
    await app.call(databases.createStandby, { application: app.key, dataCluster, primary });
    return app.goTo('Following');
  },
  beginPromotion: async (app, { params }) => {
    app.properties.allowDataLoss = params.allowDataLoss;
    return app.goTo('Promoting');
  },
  promote: async (app) => {
    const { allowDataLoss } = app.properties;
    const primary = primaryOf(app.properties);
    try {
      const input = { application: app.key, primary, allowDataLoss };
      const address = await app.call(databases.promoteStandby, input);
      Object.assign(app.properties, { ...address, primary: undefined, lagBytes: undefined });
      return app.goTo('Ready');
    } catch (thrown) {
      const { code = '', message } = thrown as { readonly code?: string; readonly message: string };
      if (FOR_AN_OPERATOR.includes(code)) app.giveUp({ code, message });
      throw thrown;
    }
  },
  beginFencing: async (app) => app.goTo('Fencing'),
  fence: async (app) => {
    await app.call(databases.fenceInstance, { application: app.key });
    return app.goTo('Fenced');
  },
  beginRelease: async (app) => app.goTo('Releasing'),
  release: async (app) => {
    await app.call(databases.releaseInstance, { application: app.key });
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

function primaryOf({ primary }: PropertiesOf<typeof SqlApplication>): string {
  if (primary === undefined) throw new Error('The instance does not follow another one.');
  return primary;
}

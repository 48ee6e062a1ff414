import { implementActions } from '../../../src/definition/index.js';
import { Database } from './database.js';
import { Server } from './server.js';

implementActions(Database, {
  attach: async (database, { params }) => {
    database.properties.server = params.server;
    database.raise(Server, params.server, 'attached', { database: database.key });
    // @ts-expect-error a wrong parameter
    database.raise(Server, params.server, 'attached', { server: params.server });
    const outcome = await database.raiseAndWait(Server, params.server, 'close', { within: '1m' });
    if (outcome.status === 'rejected') database.giveUp({ code: outcome.code, message: outcome.message });
    return database.goTo('Attached');
  },
  release: async (database) => database.goTo('Free'),
});

/** Two entity types that raise events on each other, each in files of its own: everything is inferred. S1.1 */
import { implementActions } from '../../../src/definition/index.js';
import { Database } from './database.js';
import { Server } from './server.js';

implementActions(Server, {
  open: async (server, { params }) => {
    server.create(Database, params.database, 'attach', { server: server.key });
    // @ts-expect-error the event of another type
    server.raise(Database, params.database, 'open', { database: 'x' });
    // @ts-expect-error parameters are missing
    server.raise(Database, params.database, 'attach');
    // @ts-expect-error a wrong parameter
    server.raise(Database, params.database, 'attach', { server: 7 });
    server.raise(Database, params.database, 'release');
    return server.goTo('Waiting');
  },
  note: async (server, { params }) => {
    server.properties.databases = [...server.properties.databases, params.database];
  },
  finish: async (server) => server.goTo('Ready'),
  close: async (server) => server.goTo('Deleted'),
});

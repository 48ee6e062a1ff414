import { aliases } from '../../activities/alias/contract.js';
import { databases } from '../../activities/databases/contract.js';
import type { Action } from '../../src/definition/index.js';
import { LogicalServer } from '../logical-server/definition.js';
import { refusalOf } from '../outcomes.js';
import type { LogicalDatabase } from './definition.js';
import { placeOf, setTarget } from './place.js';
import { mustBeAlone } from './standby.js';

type Database = typeof LogicalDatabase;

export const beginRenaming: Action<Database, 'beginRenaming'> = async (database, { params }) => {
  mustBeAlone(database);
  setTarget(database, { name: params.name });
  return database.goTo('Renaming');
};

export const rename: Action<Database, 'rename'> = async (database) => {
  const { server, application, name } = placeOf(database);
  const { targetName = name } = database.properties;
  if (targetName === name) return database.goTo('Ready');
  // The name is taken first, so that two databases never claim the same one.
  const params = { from: name, to: targetName, database: database.key };
  const taken = await database.raiseAndWait(LogicalServer, server, 'renameDatabase', params, { within: '1m' });
  const refusal = refusalOf(taken, 'Ready');
  // An earlier attempt may have come further.
  if (refusal) return database.goTo('UndoingRename', { error: refusal });
  await database.call(aliases.unroute, { name: server, application });
  await database.call(databases.renameDatabase, { application, database: name, name: targetName });
  await database.call(aliases.route, { name: server, database: targetName, application });
  database.properties.name = targetName;
  return database.goTo('Ready');
};

export const undoRename: Action<Database, 'undoRename'> = async (database) => {
  const { server, application, name } = placeOf(database);
  const { targetName = name } = database.properties;
  await database.call(aliases.unroute, { name: server, application });
  await database.call(databases.renameDatabase, { application, database: targetName, name });
  await database.call(aliases.route, { name: server, database: name, application });
  const params = { from: targetName, to: name, database: database.key };
  // Nobody waits for this, since the server may be waiting for this database. A server that is being deleted, or has gone, needs
  // no names any more.
  database.raise(LogicalServer, server, 'restoreDatabaseName', params, { mayBeRejected: true });
  return database.goTo('Ready');
};

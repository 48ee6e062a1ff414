import type { Action } from '../../src/definition/index.js';
import { mustBeGone, refusalOf } from '../outcomes.js';
import { LogicalDatabase } from './definition.js';
import { keyOf } from './names.js';
import { placeOf, setTarget } from './place.js';

type Database = typeof LogicalDatabase;

export const beginCopying: Action<Database, 'beginCopying'> = async (database, { params }) => {
  const { properties, links } = database;
  const { server = links.server ?? '', name = properties.name ?? '' } = params;
  const key = keyOf(server, name);
  if (key === database.key) {
    const message = `'${key}' is this database itself. Give the copy another name or another server.`;
    database.giveUp({ code: 'same_database', message });
  }
  const { dataCluster = properties.dataCluster, serviceObjective = properties.serviceObjective } = params;
  setTarget(database, { name, server, database: key, dataCluster });
  properties.targetServiceObjective = serviceObjective;
  return database.goTo('Copying');
};

export const copy: Action<Database, 'copy'> = async (database) => {
  const { application, name, administrator } = placeOf(database);
  const { targetDataCluster, targetServiceObjective, dataCluster, serviceObjective } = database.properties;
  const created = await database.createAndWait(
    LogicalDatabase,
    database.links.targetDatabase ?? '',
    'createCopy',
    {
      dataCluster: targetDataCluster ?? dataCluster,
      serviceObjective: targetServiceObjective ?? serviceObjective,
      source: { application, name, administrator },
    },
    { within: '45m' },
  );
  const refusal = refusalOf(created, 'Ready');
  if (created.status === 'rejected') {
    const message = `There is a database '${database.links.targetDatabase}' already. Choose another name.`;
    return database.goTo('Ready', { error: { code: 'database_exists', message } });
  }
  return refusal ? database.goTo('UndoingCopy', { error: refusal }) : database.goTo('Ready');
};

/** Removes all that is left of a copy that came to nothing. */
export const undoCopy: Action<Database, 'undoCopy'> = async (database) => {
  const key = database.links.targetDatabase ?? '';
  mustBeGone(await database.raiseAndWait(LogicalDatabase, key, 'delete', { within: '10m' }));
  return database.goTo('Ready');
};
